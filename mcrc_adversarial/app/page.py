"""The page itself, made with gradio."""

from __future__ import annotations

from collections.abc import Callable

import gradio  # type: ignore[import-not-found,unused-ignore]

from mcrc_adversarial.app.html import problem_html, trial_html
from mcrc_adversarial.app.trial import Ask, key, read_question, try_attack
from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import McrcError, ParameterError
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.seeding import DEFAULT_SEED

_PICKED = "sample"
_FIRST = "addsent2opt-shuffle"
_THRESHOLD = 0.65
_ABOUT = """\
# Does it read, or does it match keywords?
Pick a question or paste your own, choose an attack, and see what changes. A question of the \
corpus becomes what it is in the attacked config; the same seed gives the same text anywhere.
"""
# What a picked question puts into passage, question, options and the right letter.
Fields = tuple[str, str, str, str]


def page(ask: Ask | None = None) -> gradio.Blocks:
    """The page.

    Args:
        ask: a model whose probabilities are shown; none if None.
    """
    examples = _examples()
    blocks = gradio.Blocks(title="mcrc-adversarial", analytics_enabled=False)
    with blocks:
        gradio.Markdown(_ABOUT)
        with gradio.Row():
            with gradio.Column():
                picked, fields = _question(examples)
                chosen = _choices()
                button = gradio.Button("Attack", variant="primary", elem_id="attack")
            with gradio.Column():
                result = gradio.HTML(elem_id="result")
        picked.change(_filler(examples), picked, fields, api_visibility="private")
        button.click(_attacker(examples, ask), [*fields, *chosen], result, api_name="attack")
    return blocks


def serve(blocks: gradio.Blocks, host: str | None = None, port: int | None = None) -> None:
    """Serve the page until the process is told to end.

    Args:
        blocks: from `page`.
        host: address to listen at; gradio's own choice (127.0.0.1, on a Space all) if None.
        port: likewise.

    Raises:
        ParameterError: nothing can be served there.
    """
    try:
        blocks.launch(server_name=host, server_port=port, footer_links=["api"])
    except OSError as error:
        place = f"{host or 'this machine'}, port {port or 'any'}"
        msg = (
            f"{place}: nothing can be served there, or another program does; give another --port"
            " or --host"
        )
        raise ParameterError(msg) from error


def _examples() -> dict[str, Example]:
    corpus = corpora.get(_PICKED)
    source = find_source(corpus, None)
    return {example.id: example for example in read_split(corpus, source, "test")}


def _question(examples: dict[str, Example]) -> tuple[gradio.Dropdown, list[gradio.Textbox]]:
    first = next(iter(examples.values()))
    passage, question, options, letter = _fields_of(first)
    titles = [(f"{one.question} ({one.id})", one.id) for one in examples.values()]
    picked = gradio.Dropdown(titles, value=first.id, label="Pick a question", elem_id="picked")
    fields = [
        gradio.Textbox(passage, label="Passage", lines=8, max_lines=12, elem_id="passage"),
        gradio.Textbox(question, label="Question", elem_id="question"),
        gradio.Textbox(
            options, label="Options, one a line", lines=4, max_lines=8, elem_id="options"
        ),
        gradio.Textbox(letter, label="Right option: its letter", max_lines=1, elem_id="answer"),
    ]
    return picked, fields


def _choices() -> list[gradio.components.Component]:
    titles = [(f"{name}: {attacks.get(name).summary}", name) for name in self_contained()]
    return [
        gradio.Dropdown(titles, value=_FIRST, label="Attack", elem_id="name"),
        gradio.Number(DEFAULT_SEED, label="Seed", precision=0, elem_id="seed"),
        gradio.Slider(
            0,
            0.95,
            _THRESHOLD,
            step=0.05,
            label="ShuffleDegree to lie above, for attacks that shuffle",
            elem_id="threshold",
        ),
    ]


def _fields_of(example: Example) -> Fields:
    letter = LETTERS[example.label]
    return example.passage, example.question, "\n".join(example.options), letter


def _filler(examples: dict[str, Example]) -> Callable[[str], Fields]:
    def fill(row: str) -> Fields:
        return _fields_of(examples[row])

    return fill


def _attacker(examples: dict[str, Example], ask: Ask | None) -> Callable[..., str]:
    known = {key(example): example for example in examples.values()}

    # One argument a field of the page.
    def attack(
        passage: str,
        question: str,
        options: str,
        letter: str,
        name: str,
        seed: int,
        threshold: float,
    ) -> str:
        try:
            example = read_question(passage, question, options, letter, known)
            return trial_html(try_attack(example, name, seed, threshold, ask))
        except McrcError as error:
            return problem_html(str(error))

    return attack
