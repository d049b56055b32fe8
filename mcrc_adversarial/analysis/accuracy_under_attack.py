"""How far does accuracy fall under each attack? Paper A's table 2, with intervals and seeds."""

from __future__ import annotations

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._attack_tables import AttackTables
from mcrc_adversarial.analysis._gaps import Gap
from mcrc_adversarial.analysis._grid import fewer_runs, guess, score_of
from mcrc_adversarial.analysis._results import Chart, Estimate, Finding, Point, Series, joined
from mcrc_adversarial.analysis._study import Study, System


@register(
    "accuracy-under-attack",
    title="Accuracy under attack",
    order=10,
    source="Paper A (Si et al. 2019), table 2",
)
def accuracy_under_attack(study: Study) -> Finding:
    """A matrix of attacks by corpora for each system, all figures in one long table, a chart."""
    return joined(_of_system(study, system) for system in study.systems)


def _of_system(study: Study, system: System) -> Finding:
    if not system.plain_runs():
        why = "no run was trained on originals, so there is no table 2"
        return Finding(missing=(Gap(why, system.name),))
    made = AttackTables(study, system)
    charts = [_chart(made, corpus) for corpus in made.corpora]
    return Finding(
        tuple(made.tables()),
        tuple(chart for chart in charts if any(one.points for one in chart.series)),
        tuple(made.missing()),
    )


def _chart(made: AttackTables, corpus: str) -> Chart:
    points = list[Point]()
    system, original = made.system, made.cell(corpus)
    clean = score_of(original)
    found = [(name, made.cell(config)) for _, name, config in made.configs([corpus])]
    for number, (name, one) in enumerate(found):
        if not isinstance(one, str):
            n_runs = fewer_runs(one, original)
            label = f"{name} ({n_runs} runs)" if n_runs else name
            points.append(Point(number, *_percent(one.score.accuracy), one.n_rows, label))
    lines = {"random guess": guess(system, corpus), "original": clean}
    return Chart(
        name=f"accuracy-{system.slug}-{corpus}",
        title=f"{corpus}: accuracy under attack ({system.name})",
        kind="bars",
        x_label="attack",
        y_label="accuracy, %",
        series=(Series(system.name, tuple(points)),),
        reference={name: _percent(one.accuracy).value for name, one in lines.items() if one},
        ticks={},
        notes=("Lines: 95 % intervals, clustered by passage.",),
    )


def _percent(accuracy: Estimate | None) -> Estimate:
    assert accuracy is not None, "only a mean of changes has no accuracy"
    value, low, high = accuracy
    ends = () if low is None or high is None else (100 * low, 100 * high)
    return Estimate(100 * value, *ends)
