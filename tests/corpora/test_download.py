import hashlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from file_server import CONTENT, Server, cut_after, serving, whole
from huggingface_hub import constants

from mcrc_adversarial.corpora import Download, _download, corpora, find_source
from mcrc_adversarial.corpora._download import Transfer, fetch
from mcrc_adversarial.errors import CorpusNotFoundError, DownloadError


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(constants, "HF_HOME", str(tmp_path / "hf"))
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.delenv("HF_DATASETS_OFFLINE")
    return tmp_path / "hf" / "mcrc_adversarial"


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def transfer(pauses: list[float]) -> Transfer:
    return Transfer(attempts=3, timeout_s=10, pause=pauses.append)


def left_behind(cache: Path) -> list[str]:
    files = (path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
    return [path.as_posix() for path in files if path.parts[0] != ".locks"]


def failure(download: Download, transfer: Transfer) -> str:
    with pytest.raises(DownloadError) as caught:
        fetch([download], transfer)
    assert "\n" not in str(caught.value)
    assert download.url in str(caught.value)
    return str(caught.value)


def test_fetch_puts_the_file_into_the_cache_once(server, cache: Path, transfer, pauses) -> None:
    assert fetch([server.download()], transfer) == [("plain/file.bin", cache / "plain/file.bin")]
    assert (cache / "plain/file.bin").read_bytes() == CONTENT
    fetch([server.download()], transfer)
    assert server.ranges == [None]
    assert left_behind(cache) == ["plain/file.bin"]
    assert pauses == []


def test_fetch_takes_up_a_transfer_that_broke_off(server, cache: Path, transfer, pauses) -> None:
    server.plan = [cut_after(300_000), cut_after(200_000)]
    fetch([server.download()], transfer)
    assert (cache / "plain/file.bin").read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=300000-", "bytes=500000-"]
    assert pauses == [2.0, 4.0]
    assert left_behind(cache) == ["plain/file.bin"]


def test_fetch_starts_again_where_the_server_knows_no_ranges(server, cache: Path, transfer) -> None:
    server.knows_ranges = False
    server.plan = [cut_after(300_000)]
    fetch([server.download()], transfer)
    assert (cache / "plain/file.bin").read_bytes() == CONTENT
    assert server.ranges == [None, "bytes=300000-"]


@pytest.mark.parametrize(
    ("left", "ranges"),
    [
        (CONTENT[:1000], ["bytes=1000-"]),
        (b"x" * 1000, ["bytes=1000-", None]),
        (CONTENT + b"x", [f"bytes={len(CONTENT) + 1}-", None]),
        (b"", [None]),
    ],
)
def test_fetch_takes_up_or_discards_what_a_killed_process_left(
    server, cache: Path, transfer, left: bytes, ranges: list[str | None]
) -> None:
    (cache / "plain").mkdir(parents=True)
    (cache / "plain/file.bin.part").write_bytes(left)
    fetch([server.download()], transfer)
    assert server.ranges == ranges
    assert (cache / "plain/file.bin").read_bytes() == CONTENT
    assert left_behind(cache) == ["plain/file.bin"]


def test_fetch_gives_up_when_every_transfer_breaks_off(server, cache, transfer, pauses) -> None:
    server.plan = [cut_after(10)] * 3
    assert "broke off after 10 of 1023980 bytes, 3 times" in failure(server.download(), transfer)
    assert len(pauses) == 2
    assert left_behind(cache) == []


def test_fetch_refuses_a_wrong_checksum(server, cache: Path, transfer, pauses) -> None:
    message = failure(server.download(sha256="0" * 64), transfer)
    assert f"wrong checksum {hashlib.sha256(CONTENT).hexdigest()}, expected 0000" in message
    assert left_behind(cache) == []
    assert pauses == []


def test_fetch_notices_a_cut_transfer_of_unknown_length(server, cache: Path, transfer) -> None:
    server.plan = [cut_after(10)]
    address = server.address.replace("/file", "/no-length")
    assert "wrong checksum" in failure(server.download(url=address), transfer)
    assert left_behind(cache) == []


@pytest.mark.parametrize(("status", "tries"), [(404, 1), (403, 1), (503, 3), (429, 3)])
def test_fetch_names_what_the_server_answered(
    server, cache: Path, transfer, status: int, tries: int
) -> None:
    address = server.address.replace("/file", f"/status/{status}")
    assert f"the server answered {status}" in failure(server.download(url=address), transfer)
    assert len(server.ranges) == tries
    assert left_behind(cache) == []


def test_fetch_gives_up_on_a_server_that_says_nothing(server, cache: Path, transfer) -> None:
    done = threading.Event()

    def silent(handler: BaseHTTPRequestHandler, body: bytes) -> bool:
        handler.wfile.write(body[:10])
        return done.wait(20)

    server.plan = [silent] * 3
    try:
        message = failure(server.download(), replace(transfer, timeout_s=0.1))
    finally:
        done.set()
    assert "no answer within 0.1 seconds, 3 times" in message
    assert left_behind(cache) == []


def test_fetch_names_a_server_that_is_not_there(cache: Path, transfer) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as unused:
        address = f"http://127.0.0.1:{unused.server_port}/file"
    message = failure(Download(address, "0" * 64, "a.bin"), transfer)
    assert "the connection failed" in message
    assert left_behind(cache) == []


def test_fetch_takes_no_address_of_another_kind(cache: Path, transfer) -> None:
    message = failure(Download("file:///etc/hostname", "0" * 64, "a.bin"), transfer)
    assert "neither https nor http" in message


def test_fetch_names_a_cache_that_cannot_be_written(server, cache: Path, transfer) -> None:
    cache.parent.mkdir()
    cache.write_text("no folder")
    assert "failed: " in failure(server.download(), transfer)


def test_two_processes_fetch_the_same_file_once(server, cache: Path) -> None:
    item = server.download()
    code = (
        "from mcrc_adversarial.corpora import Download, _download; print('ready', flush=True);"
        f"_download.fetch([Download({item.url!r}, {item.sha256!r}, {item.filename!r})])"
    )
    both_ready, second_asked = threading.Event(), threading.Event()

    def first(handler: BaseHTTPRequestHandler, body: bytes) -> bool:
        both_ready.wait(60)
        second_asked.wait(0.3)
        return whole(handler, body)

    def second(handler: BaseHTTPRequestHandler, body: bytes) -> bool:
        second_asked.set()
        return whole(handler, body)

    server.plan = [first, second]
    environment = {"HF_HOME": str(cache.parent), "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", code]
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    both_ready.set()
    for process in running:
        process.communicate(timeout=60)
    assert [process.returncode for process in running] == [0, 0]
    assert (cache / "plain/file.bin").read_bytes() == CONTENT
    assert len(server.ranges) == 1


@pytest.mark.parametrize("variable", ["HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"])
@pytest.mark.parametrize("value", ["1", "true", "YES", "on"])
def test_find_makes_no_attempt_offline(
    server, cache: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    corpus = replace(corpora.get("dream"), downloads=(server.download(),))
    monkeypatch.setenv(variable, value)
    with pytest.raises(
        CorpusNotFoundError, match=f"{variable}={value} forbids the download"
    ) as caught:
        find_source(corpus)
    assert "https://dataset.org/dream/" in str(caught.value)
    assert server.ranges == []
    assert not cache.exists()


def test_find_uses_what_was_fetched_before_also_offline(
    server, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = server.download(filename="dream/train.json")
    corpus = replace(corpora.get("dream"), downloads=(item,))
    assert find_source(corpus).splits() == ("train",)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    source = find_source(corpus)
    assert source.read("train")[0].content == CONTENT
    assert len(server.ranges) == 1


def test_find_reads_a_fetched_archive_for_each_corpus_in_it(cache: Path, write_tar) -> None:
    tree = {f"RACE/test/{level}/1.txt": "{}" for level in ("middle", "high")}
    write_tar(cache / "race" / "RACE.tar.gz", tree)
    for name, n_files in (("race", 2), ("race-middle", 1), ("race-high", 1)):
        assert len(find_source(corpora.get(name)).read("test")) == n_files


def test_find_prefers_local_files_to_a_download(
    server, tmp_path: Path, write_folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = replace(corpora.get("dream"), downloads=(server.download(),))
    monkeypatch.setenv(
        "MCRC_DATA_DIR", str(write_folder(tmp_path / "raw", {"dream/dev.json": "[]"}))
    )
    assert find_source(corpus).splits() == ("validation",)
    assert server.ranges == []


def test_find_says_where_to_get_a_corpus_without_an_address() -> None:
    with pytest.raises(CorpusNotFoundError, match=r"no address is known.*codalab\.org"):
        find_source(corpora.get("mcscript"))


def test_offline_is_said_by_true_values_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "0", "false", "no"):
        monkeypatch.setenv("HF_HUB_OFFLINE", value)
        assert _download.offline() == ""
