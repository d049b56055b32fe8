"""A trial as HTML: every text is escaped, and changes are marked by more than colour."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from mcrc_adversarial.app.trial import Field, Trial
from mcrc_adversarial.attacks import REASONS, is_attacked
from mcrc_adversarial.differences import Part, visible

_STYLE = """\
<style>
.mcrc ins{background:#c9f0cf;color:#0b3d17;text-decoration:none;border-bottom:2px solid #1a7f37}
.mcrc del{background:#fbd5d5;color:#6e1010}
.mcrc p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2em 0 1em}
.mcrc h3{margin:.6em 0 .1em}
.mcrc li{list-style:none;margin:.5em 0;white-space:pre-wrap;overflow-wrap:anywhere}
.mcrc ul{padding:0;margin:0}
.mcrc .note{opacity:.75;font-size:.9em}
.mcrc meter{width:9em;vertical-align:middle}
</style>"""
_TAGS = {"removed": "del", "inserted": "ins"}


def trial_html(trial: Trial) -> str:
    """Everything that became of a question."""
    verdict = (
        f"{trial.attack.name}: {trial.attack.summary}"
        if is_attacked(trial.example, trial.attacked)
        else f"{trial.attack.name} changed nothing here"
    )
    texts = [
        f'<h3>{field.name}{_degree(field)}</h3><p class="{field.name.lower()}">'
        f"{_marked(field.parts)}</p>"
        for field in trial.texts()
    ]
    options = [_option(field) for field in trial.options()]
    reasons = [
        f'<li class="note">{code}: {escape(REASONS[code])}</li>' for code in trial.attacked.reasons
    ]
    return _inside(
        f'<p class="verdict"><b>{escape(verdict)}</b></p>',
        *texts,
        f"<h3>Options</h3><ul class='options'>{''.join(options)}</ul>",
        _verdict(trial),
        f"<ul class='reasons'>{''.join(reasons)}</ul>",
    )


def problem_html(message: str) -> str:
    """What is wrong with what was given."""
    return _inside(f'<p class="problem" role="alert">{escape(visible(message))}</p>')


def _inside(*parts: str) -> str:
    return f'{_STYLE}<div class="mcrc">{"".join(parts)}</div>'


def _marked(parts: Iterable[Part]) -> str:
    return "".join(_tagged(part) for part in parts)


def _tagged(part: Part) -> str:
    text = escape(visible(part.text))
    tag = _TAGS.get(part.kind)
    return f"<{tag}>{text}</{tag}>" if tag else text


def _degree(field: Field) -> str:
    if field.degree is None:
        return ""
    return f' <span class="note">(ShuffleDegree {field.degree:.3f})</span>'


def _option(field: Field) -> str:
    star = "★" if field.is_answer else "\u2003"
    line = f"{star} <b>{field.name}</b>  {_marked(field.parts)}{_degree(field)}"
    if field.chances is None:
        return f"<li>{line}</li>"
    meters = " → ".join(
        f'<meter min="0" max="1" value="{chance:.4f}"></meter> {100 * chance:.1f} %'
        for chance in field.chances
    )
    return f'<li>{line}<br><span class="chances">{meters}</span></li>'


def _verdict(trial: Trial) -> str:
    """What the model answers before and after."""
    if trial.chances is None:
        return ""
    letters = [field.name for field in trial.options()]
    before, after = (letters[_greatest(one)] for one in trial.chances)
    right = letters[trial.example.label]
    moved = f"still {after}" if before == after else f"then {after}"
    return f'<p class="answer">The model answers {before}, {moved}; right is {right}.</p>'


def _greatest(chances: Iterable[float]) -> int:
    values = list(chances)
    return values.index(max(values))
