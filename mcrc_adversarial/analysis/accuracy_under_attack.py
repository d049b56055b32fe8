"""How far does accuracy fall under each attack? Paper A's table 2, with intervals and seeds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._cells import cell, seeds
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._grid import (
    averaged,
    configs_of,
    full_mean,
    guess,
    has,
    plain_corpora,
    score_of,
)
from mcrc_adversarial.analysis._paper_a import TEST_ATTACKS, TRAINING_ATTACKS
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Estimate,
    Finding,
    Point,
    ResultTable,
    Score,
    Series,
    Value,
    joined,
)
from mcrc_adversarial.analysis._study import Study, System
from mcrc_adversarial.attacks import attacks

_FAMILIES = {"table-2": "the attacks of table 2", "table-2-other": "the other attacks"}
_COLUMNS = (
    Column("corpus", "corpus"),
    Column("attack", "attack"),
    Column("accuracy", "accuracy, %", "fraction"),
    Column("change", "change, %", "percent"),
    Column("change_on_attacked", "change on attacked rows, %", "percent"),
    Column("n_rows", "rows", "count"),
    Column("n_attacked", "attacked", "number"),
    Column("n_passages", "passages", "count"),
    Column("mcnemar_p_value", "p (McNemar)", "p"),
    Column("sd_training_seeds", "SD over training seeds, points", "points"),
    Column("sd_attack_seeds", "SD over attack seeds, points", "points"),
    Column("seeds", "seeds"),
)
_NOTES = (
    "Change: (accuracy / accuracy on the originals of the same rows - 1) x 100, in percent.",
    "95 % intervals, clustered by passage; with several runs, of the mean over the runs, with the"
    " seeds held fixed.",
)


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
    corpora = plain_corpora(system)
    others = [name for name in attacks.names() if name not in (*TEST_ATTACKS, *TRAINING_ATTACKS)]
    tables = (
        _matrix(study, system, corpora, TEST_ATTACKS, "table-2"),
        _matrix(study, system, corpora, (*TRAINING_ATTACKS, *others), "table-2-other"),
        _long(study, system, corpora),
    )
    charts = [_chart(study, system, corpus) for corpus in corpora]
    return Finding(
        tuple(table for table in tables if table.rows),
        tuple(chart for chart in charts if any(one.points for one in chart.series)),
        tuple(_missing(study, system, corpora)),
    )


def _matrix(
    study: Study, system: System, corpora: Sequence[str], names: Sequence[str], table: str
) -> ResultTable:
    """Attacks by corpora, with plain means of the changes by row and by column."""
    shown = [name for name in names if any(has(system, f"{one}-{name}") for one in corpora)]
    counted = averaged(corpora)
    scores = {
        (name, corpus): score_of(cell(study, system, f"{corpus}-{name}"))
        for name in shown
        for corpus in corpora
    }

    def mean(of_names: Sequence[str], of_corpora: Sequence[str]) -> Score | None:
        found = [scores[name, corpus] for name in of_names for corpus in of_corpora]
        value = full_mean([one.change.value if one and one.change else None for one in found])
        return None if value is None else Score(None, Estimate(value))

    rows: list[tuple[Value, ...]] = [
        ("random guess", *(guess(system, corpus) for corpus in corpora), None),
        ("original", *(score_of(cell(study, system, corpus)) for corpus in corpora), None),
        *((name, *(scores[name, one] for one in corpora), mean([name], counted)) for name in shown),
        ("mean change", *(mean(shown, [corpus]) for corpus in corpora), mean(shown, counted)),
    ]
    return ResultTable(
        f"{table}-{system.slug}",
        f"{system.name}: accuracy in % (and its change in %) under {_FAMILIES[table]}",
        (
            Column("attack", "attack"),
            *(Column(corpus, corpus, "fraction") for corpus in corpora),
            Column("mean", "mean change", "percent"),
        ),
        tuple(rows) if shown else (),
        (*_NOTES, *_mean_notes(corpora)),
    )


def _mean_notes(corpora: Sequence[str]) -> Iterator[str]:
    yield "Means of changes are plain means over the cells of a row or column."
    counted = averaged(corpora)
    for corpus in corpora:
        if corpus not in counted:
            yield f"Means leave out {corpus}, whose questions stand in another column."


def _long(study: Study, system: System, corpora: Sequence[str]) -> ResultTable:
    rows: list[tuple[Value, ...]] = []
    for corpus, name, config in configs_of(system, corpora):
        found = cell(study, system, config)
        if isinstance(found, str):
            continue
        spread = found.spread
        sds = (None, None) if spread is None else (spread.sd_training, spread.sd_attack)
        rows.append(
            (
                corpus,
                name,
                found.score.accuracy,
                found.score.change,
                found.attacked_change,
                found.n_rows,
                found.n_attacked,
                found.n_passages,
                found.p_value,
                *(None if sd is None else 100 * sd for sd in sds),
                seeds(found.runs),
            )
        )
    title = f"{system.name}: every config"
    return ResultTable(f"accuracy-{system.slug}", title, _COLUMNS, tuple(rows), _NOTES)


def _chart(study: Study, system: System, corpus: str) -> Chart:
    points = list[Point]()
    clean = score_of(cell(study, system, corpus))
    found = [
        (name, cell(study, system, config)) for _, name, config in configs_of(system, [corpus])
    ]
    for number, (name, one) in enumerate(found):
        if not isinstance(one, str):
            points.append(Point(number, *_percent(one.score.accuracy), one.n_rows, name))
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


def _missing(study: Study, system: System, corpora: Sequence[str]) -> Iterator[Gap]:
    for corpus in corpora:
        if not has(system, corpus):
            why = f"{corpus} itself was not scored, so its attacks show no change"
            yield Gap(why, system.name, weight=Weight.LACKS_DATA)
    for _, _, config in configs_of(system, corpora):
        found = cell(study, system, config)
        if not isinstance(found, str):
            yield from (gap._replace(about=system.name) for gap in found.missing)
