"""The options of `mcrc-adversarial difficulty`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Output: TypeAlias = Annotated[
    Path, typer.Option(help="Folder of the report; an earlier one is replaced.")
]
Runs: TypeAlias = Annotated[
    list[str] | None, typer.Option(help="A run folder, or NAME=FOLDER; can be repeated.")
]
VotesFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="Votes as JSON Lines, a question each; those of other configs are left out."),
]
LeaveOut: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        help="A model that M-avg leaves out, * stands for anything; can be repeated."
        ' Without it: unifiedqa* of a corpus\'s own models; "" for none.'
    ),
]
DifficultyBy: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--difficulty",
        help="gap (people less M-avg), human (people's error rate, which needs no model) or models"
        " (M-avg's). Without it: gap, or models where there are no votes.",
    ),
]
Easy: TypeAlias = Annotated[float, typer.Option(help="Easy up to this, in percent.")]
Hard: TypeAlias = Annotated[float, typer.Option(help="Hard from this on, in percent.")]
HumanAnswer: TypeAlias = Annotated[str, typer.Option(help="majority, or mean of the votes.")]
HumanVotes: TypeAlias = Annotated[
    int | None,
    typer.Option(
        min=1, help="Votes that measure people. Without it: those that the corpus names, else 3."
    ),
]
SplitVote: TypeAlias = Annotated[
    str, typer.Option(help="What a split vote counts: wrong, share or out.")
]
UnanswerableVote: TypeAlias = Annotated[
    str, typer.Option(help="What a vote that it cannot be answered counts: wrong or out.")
]
DrawSeed: TypeAlias = Annotated[
    int, typer.Option(help="Of the draw of votes, where the corpus names none.")
]
Frequencies: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="SUBTLEXus or another list (Word, FREQcount). Without it: wordfreq."),
]
SurprisalModel: TypeAlias = Annotated[
    str | None,
    typer.Option(help="A causal language model, for total surprisal: folder or Hub name."),
]
WriteParserInput: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--write-parser-input",
        help="Write the passages to a new file for Roark's parser (tdparse -p), a sentence a line,"
        " and stop.",
    ),
]
ParserOutput: TypeAlias = Annotated[
    Path | None, typer.Option(help="What the parser printed on that file.")
]
Compare: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--compare-paper-c", help="Print the paper's table 1, correlations and types beside ours."
    ),
]
