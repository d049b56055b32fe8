"""What was scored, under which conditions, and what is missing?"""

from __future__ import annotations

from collections.abc import Iterator

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._results import Column, Finding, ResultTable, Value
from mcrc_adversarial.analysis._runs import Run
from mcrc_adversarial.analysis._study import Study, System
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.pairing import clean_config
from mcrc_adversarial.scoring import chance_test


@register(
    "scored-runs",
    title="What was scored",
    order=90,
    source="A number comes with its conditions",
)
def scored_runs(study: Study) -> Finding:
    """A line a run, and the conditions that the numbers of the report stand under."""
    rows = tuple(_row(system, run) for system in study.systems for run in system.runs)
    columns = (
        Column("run", "run"),
        Column("system", "model"),
        Column("kind", "kind"),
        Column("condition", "trained on"),
        Column("split", "split"),
        Column("n_configs", "configs", "count"),
        Column("n_truncated", "rows shortened", "count"),
        Column("training_seed", "seed", "count"),
        Column("attack_seed", "attack seed", "count"),
        Column("shuffle_degree", "ShuffleDegree above"),
        Column("attack_params", "other parameters"),
        Column("max_length", "tokens", "count"),
        Column("version", "version"),
        Column("git_revision", "git revision"),
    )
    missing = tuple(gap for system in study.systems for gap in _missing(system))
    return Finding((ResultTable("runs", "Runs", columns, rows),), missing=missing)


def _row(system: System, run: Run) -> tuple[Value, ...]:
    record, setting = run.record, run.setting
    limit = f", {setting.limit} questions drawn" if setting.limit else ""
    return (
        run.name,
        system.name,
        run.kind,
        ", ".join(run.trained_on) or run.condition,
        f"{setting.split}{limit}",
        len(run.answers),
        sum(answers.n_truncated for answers in run.answers.values()),
        run.training_seed,
        setting.attack_seed,
        "the attack's own" if setting.shuffle_degree is None else str(setting.shuffle_degree),
        ", ".join(setting.attack_params),
        record["arguments"]["data"]["max_length"],
        record["versions"].get("mcrc-adversarial"),
        record.get("git_revision"),
    )


def _missing(system: System) -> Iterator[Gap]:
    for missing in dict.fromkeys(run.missing for run in system.runs if run.missing):
        runs = ", ".join(run.name for run in system.runs if run.missing == missing)
        yield Gap(f"no predictions on {', '.join(missing)}", runs, weight=Weight.LACKS_DATA)
    for run in system.runs:
        if not run.is_finished:
            yield Gap("the run is unfinished", run.name, weight=Weight.MISLEADS)
        yield from _at_chance(run)
    seeds = {(run.training_seed, run.setting.attack_seed) for run in system.runs}
    if len(seeds) < 2:
        why = "one seed only, so nothing is known of the spread over seeds"
        yield Gap(why, system.name, weight=Weight.ASIDE)


def _at_chance(run: Run) -> Iterator[Gap]:
    for name, answers in run.answers.items():
        if parse_config(name).attack is None and clean_config(name, run.answers) is None:
            one = chance_test(answers.predictions, answers.labels, answers.n_options)
            if one.chance:
                why = (
                    f"accuracy on {name} is {one.accuracy:.1%}, not above guessing"
                    f" ({one.guessing:.1%}, p = {one.p_value:.2g}); its changes say nothing"
                )
                yield Gap(why, run.name, weight=Weight.MISLEADS)
