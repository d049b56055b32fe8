"""`mcrc-adversarial annotate`: ask people, and say what they answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import (
    AllowUnverified,
    DataDir,
    Neighbours,
    Param,
    Seed,
    all_of,
    parse_parameters,
)
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.notices import today
from mcrc_adversarial.seeding import DEFAULT_SEED, check_seed
from mcrc_adversarial.tables import Table

if TYPE_CHECKING:
    from mcrc_adversarial.annotation import Key, Results, Thresholds
    from mcrc_adversarial.annotation.sheets import Sheet

_HELP = paragraphs("""
Ask people the questions of configs, blinded, and score their answers.

`annotate export` writes sheets and a key; `annotate import` reads the filled sheets back.
""")
_EXPORT_HELP = paragraphs("""
Write blinded sheets for annotators, and a key that stays with you.

Each annotator gets one CSV file for a spreadsheet and one HTML form with the same items: options
shuffled, "unanswerable" added, attack, id and label hidden. Of each attack a seeded sample of rows
that it altered is asked; of an original, the same questions. Nobody gets two versions of a question
where --annotators is large enough, and never two in a row where that can be avoided.

About a tenth of each sheet are catch items, whose answers are known: from the corpus or file that
--catch names.

[bold]Examples[/bold]

$ mcrc-adversarial annotate export sample sample-charswap --per-attack 20 --output sheets

$ mcrc-adversarial annotate export race-high race-high-addsent2opt-shuffle --annotators 10
--data-dir corpora --output sheets

$ mcrc-adversarial annotate export custom --data-file new-questions.jsonl --types --output sheets
""")
_IMPORT_HELP = paragraphs("""
Read filled sheets and report how well people do, how far they agree, and which attacks keep the
label by their word.

SHEETS are CSV files, or folders of them: filled sheets, or what the forms saved; they may be
incomplete. Anything wrong
with them is an error that names file and line, and then nothing is written.

--output gets report.md, tables, a figure, results.json, answers.csv (every answer), and votes.jsonl
(the votes on each item, for other programs). Annotators who miss too many catch items are always
listed, and left out with --exclude-disqualified.

[bold]Example[/bold]

$ mcrc-adversarial annotate import answers --key sheets/KEY-do-not-give-to-annotators.json
--output human
""")
# Of the problems of sheets; more of them have one cause.
_MOST_LINES = 50
_TABLES = ("human-accuracy", "label-kept", "agreement")

annotate = typer.Typer(help=_HELP, no_args_is_help=True, rich_markup_mode="rich")
app.add_typer(annotate, name="annotate")


PerAttack: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Questions of each attack; fewer where it altered fewer.")
]
Catch: TypeAlias = Annotated[
    str, typer.Option(help="Corpus, or file of your own, that catch items are taken from.")
]
CatchShare: TypeAlias = Annotated[
    float, typer.Option(help="Share of catch items on a sheet, from 0 to below 1.")
]
Types: TypeAlias = Annotated[
    bool, typer.Option("--types", help="Ask for paper C's comprehension types as well.")
]
Own: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data-file", "--file", help="Your own questions, for the configs of `custom`."),
]
AttackSeed: TypeAlias = Annotated[
    int, typer.Option(help="Seed that the attacks are made with, as in the configs' rows.")
]


@annotate.command("export", help=_EXPORT_HELP)
def export(
    names: Annotated[
        list[str],
        typer.Argument(metavar="CONFIG...", help="Configs; `race:*` is race and its attacks."),
    ],
    output: Annotated[Path, typer.Option(help="A new folder for sheets and key.")],
    per_attack: PerAttack = 100,
    annotators: Annotated[int, typer.Option(min=1, help="How many people there are.")] = 5,
    votes: Annotated[int, typer.Option(min=1, help="How many of them answer each item.")] = 5,
    catch: Catch = "sample",
    catch_share: CatchShare = 0.1,
    types: Types = False,
    data_file: Own = None,
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    seed: Seed = DEFAULT_SEED,
    attack_seed: AttackSeed = DEFAULT_SEED,
    param: Param = None,
    neighbours: Neighbours = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Write a folder, print what is in it."""
    need("annotate", "jinja2")
    # Only here: they load jinja2.
    from mcrc_adversarial.annotation import Plan, write_export
    from mcrc_adversarial.annotation.loading import Sources, load_sheets

    check_seed(seed)
    check_seed(attack_seed)
    chosen = [one.attack for one in expand_configs(names) if one.attack]
    parameters = parse_parameters(chosen, all_of(param, neighbours))
    sources = Sources(
        split, data_file, data_dir, not allow_unverified, seed, attack_seed, parameters
    )
    plan = Plan(annotators, votes, seed, types)
    key, sheets = load_sheets(names, per_attack, (catch, catch_share), sources, plan)
    write_export(output, key, sheets)
    _show(key, sheets, output)


def _show(key: Key, sheets: Sequence[Sheet], output: Path) -> None:
    """Print what was written, and say what limits its worth."""
    from mcrc_adversarial.annotation.key import KEY_FILE

    asked = [item for item in key.items.values() if not item.is_catch]
    counts = Counter(item.config for item in asked)
    rows = tuple((config, str(counts[config])) for config in key.configs)
    print_table(Table(("config", "items"), rows, frozenset({"items"})), f"Export {key.export}")
    lengths = [len(sheet.items) for sheet in sheets]
    screen().print(
        f"{len(sheets)} sheet(s) of {min(lengths)} to {max(lengths)} items;"
        f" {key.settings['votes']} vote(s) on each item;"
        f" {len(key.items) - len(asked)} different catch items"
    )
    for line in sheets[0].notices:
        screen().print(line)
    screen().print(f"give away: {output / 'sheets'}")
    screen().print(f"keep to yourself: {output / KEY_FILE}")
    if key.n_met_again:
        versions = max(Counter(item.id for item in asked).values())
        say(
            f"{key.n_met_again} time(s) an annotator gets another version of a question; with"
            f" {versions * key.settings['votes']} annotators nobody would"
        )


Sheets: TypeAlias = Annotated[
    list[Path], typer.Argument(help="Filled sheets, or saved answers: CSV, or folders.")
]
Exclude: TypeAlias = Annotated[
    bool, typer.Option("--exclude-disqualified", help="Leave out annotators below the threshold.")
]
DisqualifiedBelow: TypeAlias = Annotated[
    float, typer.Option(help="Share of catch items right that an annotator must reach.")
]
BonusFrom: TypeAlias = Annotated[
    float, typer.Option(help="Share of catch items right that earns a bonus.")
]
KeptFrom: TypeAlias = Annotated[
    float,
    typer.Option(
        help="Of the questions right on the original, the share that must stay right under an"
        " attack that keeps the label."
    ),
]


@annotate.command("import", help=_IMPORT_HELP)
def import_(
    sheets: Sheets,
    key: Annotated[Path, typer.Option(help="The key of the export.")],
    output: Annotated[Path, typer.Option(help="Folder of the report; an earlier one is replaced.")],
    exclude_disqualified: Exclude = False,
    disqualified_below: DisqualifiedBelow = 0.6,
    bonus_from: BonusFrom = 0.8,
    kept_from: KeptFrom = 0.8,
) -> None:
    """Write a report, print its first tables."""
    need("annotate", "nltk", "matplotlib", "jinja2")
    # Only here: they load matplotlib and nltk.
    from mcrc_adversarial.annotation import Thresholds, findings, read_key, read_sheets, sheet_files
    from mcrc_adversarial.annotation.records import other_files
    from mcrc_adversarial.report import Head, check_output, write_finding

    check_output(output)
    thresholds = Thresholds(disqualified_below, bonus_from, kept_from)
    found = read_key(key)
    read = read_sheets(sheet_files(sheets), found)
    if read.problems:
        _refuse(read.problems)
    if not read.answers:
        msg = f"none of {read.files} file(s) holds an answer; fill the column 'answer'"
        raise DataError(msg)
    results = findings(found, read, thresholds, exclude_disqualified=exclude_disqualified)
    beside = other_files(found, read, results)
    opening = f"Written on {today()}, from {read.files} file(s) of answers."
    head = Head(f"Human check of export {found.export}", opening, licences=())
    write_finding(results.finding, output, head, beside=beside)
    _report(results, thresholds)
    screen().print(str(output / "report.md"))


def _report(results: Results, thresholds: Thresholds) -> None:
    """Print the first tables, and say what limits their worth."""
    from mcrc_adversarial.report.terminal import terminal_table

    for table in results.finding.tables:
        if table.name in _TABLES:
            print_table(terminal_table(table), table.title)
    for one in results.annotators:
        if one.is_disqualified:
            fate = "left out" if one.name in results.left_out else "counted all the same"
            say(
                f"{one.name}: {one.catch_right} of {one.catch_answered} catch items right, below"
                f" {thresholds.disqualified_below:.0%}: {fate}"
            )
    for line in results.finding.missing:
        say(f"missing: {line}")


def _refuse(problems: Sequence[str]) -> None:
    """Say what is wrong with the sheets, and end.

    Raises:
        DataError: always.
    """
    for line in problems[:_MOST_LINES]:
        say(line)
    more = f", the first {_MOST_LINES} of them above" if len(problems) > _MOST_LINES else ""
    msg = f"{len(problems)} problem(s) in the sheets{more}; mend them: nothing was written"
    raise DataError(msg)
