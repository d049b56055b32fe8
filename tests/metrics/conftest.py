from __future__ import annotations

import socket
from pathlib import Path

import evaluate
import pytest

from mcrc_adversarial.metric import metric_path


@pytest.fixture
def load(tmp_path, monkeypatch):
    """`evaluate.load` of the metric with caches of its own and no way out."""

    def refuse(*_args, **_kwargs):
        pytest.fail("the metric tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(evaluate.config, "HF_METRICS_CACHE", str(tmp_path / "metrics"))

    def _load(*args, **options):
        return evaluate.load(metric_path(), *args, **options)

    return _load


@pytest.fixture
def metric(load):
    return load()


@pytest.fixture
def folder():
    return Path(metric_path())
