"""Tables of accuracy under attack: attacks by corpora, and every config on a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcrc_adversarial.analysis._cells import Cell, cell, seeds
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._grid import (
    FEWER,
    averaged,
    configs_of,
    fewer_runs,
    full_mean,
    guess,
    has,
    plain_corpora,
    released_sets,
    score_of,
)
from mcrc_adversarial.analysis._paper_a import TEST_ATTACKS, TRAINING_ATTACKS
from mcrc_adversarial.analysis._results import Column, Estimate, ResultTable, Score, Value
from mcrc_adversarial.analysis._study import Study, System
from mcrc_adversarial.attacks import attacks

_FAMILIES = {
    "table-2": "the attacks of table 2",
    "table-2-other": "the other attacks",
    "released-sets": "released sets",
}
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
    Column("n_runs", "runs", "count"),
    Column("sd_training_seeds", "SD over training seeds, points", "points"),
    Column("sd_attack_seeds", "SD over attack seeds, points", "points"),
    Column("seeds", "seeds"),
)
_NOTES = (
    "Change: (accuracy / accuracy on the originals of the same rows - 1) x 100, in percent.",
    "A change on fewer than about six passages has no interval.",
    "95 % intervals, clustered by passage; with several runs, of the mean over the runs, with the"
    " seeds held fixed.",
)


class AttackTables:
    """The tables of one system, of its runs of one training condition.

    Args:
        study: of the report.
        system: one of the study.
        condition: what the runs were trained on alone; originals, or nothing, if None.
    """

    def __init__(self, study: Study, system: System, condition: str | None = None) -> None:
        self.study = study
        self.system = system
        self.condition = condition
        self.corpora = plain_corpora(system, condition)
        self.released = {one: released_sets(system, one, condition) for one in self.corpora}
        self.name = system.name if condition is None else f"{system.name}, trained on {condition}"
        self.slug = system.slug if condition is None else f"{system.slug}-trained-on-{condition}"

    def tables(self) -> list[ResultTable]:
        """Those that have rows: paper A's attacks, the others, released sets, every config."""
        known = (*TEST_ATTACKS, *TRAINING_ATTACKS)
        others = [name for name in attacks.names() if name not in known]
        released = [name for names in self.released.values() for name in names]
        found = (
            self._matrix(TEST_ATTACKS, "table-2"),
            self._matrix((*TRAINING_ATTACKS, *others), "table-2-other"),
            self._matrix(released, "released-sets"),
            self._long(),
        )
        return [table for table in found if table.rows]

    def cell(self, config: str) -> Cell | str:
        """The figures on a config."""
        return cell(self.study, self.system, config, self.condition)

    def configs(self, corpora: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """(corpus, attack or `original`, config) of every config that was scored."""
        return configs_of(self.system, corpora, self.condition)

    def missing(self) -> Iterator[Gap]:
        """What the tables lack."""
        for corpus in self.corpora:
            if not has(self.system, corpus, self.condition):
                why = f"{corpus} itself was not scored, so its attacks show no change"
                yield Gap(why, self.name, weight=Weight.LACKS_DATA)
        for _, _, config in self.configs(self.corpora):
            found = self.cell(config)
            if not isinstance(found, str):
                yield from (gap._replace(about=self.name) for gap in found.missing)

    def _score(self, corpus: str, name: str) -> Score | None:
        return score_of(self.cell(self._config(corpus, name)), self.cell(corpus))

    def _config(self, corpus: str, name: str) -> str:
        return name if name in self.released[corpus] else f"{corpus}-{name}"

    def _columns(self, table: str) -> list[str]:
        """Corpora of a matrix; only some are originals of released sets."""
        if table != "released-sets":
            return self.corpora
        return [corpus for corpus in self.corpora if self.released[corpus]]

    def _matrix(self, names: Sequence[str], table: str) -> ResultTable:
        """Attacks by corpora, with plain means of the changes by row and by column."""
        corpora = self._columns(table)
        counted = averaged(corpora)
        shown = [
            name
            for name in names
            if any(has(self.system, self._config(one, name), self.condition) for one in corpora)
        ]
        scores = {(name, corpus): self._score(corpus, name) for name in shown for corpus in corpora}

        def mean(of_names: Sequence[str], of_corpora: Sequence[str]) -> Score | None:
            found = [scores[name, corpus] for name in of_names for corpus in of_corpora]
            value = full_mean([one.change.value if one and one.change else None for one in found])
            mark = FEWER if any(one and one.mark for one in found) else ""
            return None if value is None else Score(None, Estimate(value), mark)

        original = (score_of(self.cell(corpus)) for corpus in corpora)
        rows: list[tuple[Value, ...]] = [
            ("random guess", *(guess(self.system, corpus) for corpus in corpora), None),
            ("original", *original, None),
            *(
                (name, *(scores[name, one] for one in corpora), mean([name], counted))
                for name in shown
            ),
            ("mean change", *(mean(shown, [one]) for one in corpora), mean(shown, counted)),
        ]
        return ResultTable(
            f"{table}-{self.slug}",
            f"{self.name}: accuracy in % (and its change in %) under {_FAMILIES[table]}",
            (
                Column("attack", "attack"),
                *(Column(corpus, corpus, "fraction") for corpus in corpora),
                Column("mean", "mean change", "percent"),
            ),
            tuple(rows) if shown else (),
            (*_NOTES, *_mean_notes(corpora), *self._fewer(corpora, shown)),
        )

    def _fewer(self, corpora: Sequence[str], names: Sequence[str]) -> Iterator[str]:
        """The note on cells that stand on fewer runs than the original does."""
        found = []
        for corpus in corpora:
            for name in names:
                one = self.cell(self._config(corpus, name))
                if not isinstance(one, str) and (n_runs := fewer_runs(one, self.cell(corpus))):
                    found.append(f"{self._config(corpus, name)} {n_runs}")
        if found:
            yield (
                f"{FEWER} over fewer runs than the original of its corpus, or a mean over such:"
                f" {', '.join(found)}. Its change is from these runs' own accuracy on the original."
            )

    def _long(self) -> ResultTable:
        rows: list[tuple[Value, ...]] = []
        for corpus, name, config in self.configs(self.corpora):
            found = self.cell(config)
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
                    len(found.runs),
                    *(None if sd is None else 100 * sd for sd in sds),
                    seeds(found.runs),
                )
            )
        title = f"{self.name}: every config"
        return ResultTable(f"accuracy-{self.slug}", title, _COLUMNS, tuple(rows), _NOTES)


def _mean_notes(corpora: Sequence[str]) -> Iterator[str]:
    yield "Means of changes are plain means over the cells of a row or column."
    counted = averaged(corpora)
    for corpus in corpora:
        if corpus not in counted:
            yield f"Means leave out {corpus}, whose questions stand in another column."
