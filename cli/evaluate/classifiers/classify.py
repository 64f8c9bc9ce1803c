"""`triage eval classify`: measures how well a classifier that learns from solved tickets tells the types of others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.console import print_json, screen, table
from cli.evaluate.classifiers.linear_training import accuracy, macro_f1
from cli.evaluate.data_files import rows_of
from cli.verb import AsJson
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from cli.evaluate.classifiers.linear_training import TextExample

FIELDS: Final = ("ticket_type", "category", "sub_category1", "sub_category2", "business_service", "urgency", "impact")


@dataclass(frozen=True, slots=True)
class ClassifyFigures:
    """What `--json` prints."""

    cases: int
    accuracy: float
    macro_f1: float
    """Mean of the F1 scores of all labels, each counted alike."""
    confusion: Mapping[str, Mapping[str, int]]
    """Right label → answer → number of cases."""


File = Annotated[
    Path,
    typer.Argument(
        exists=True,
        dir_okay=False,
        help="One ticket a line as JSON (.jsonl, .jsonl.gz): id, title, body, ticket_type and other fields.",
    ),
]
Label = Annotated[str, typer.Option(help=f"The field to tell: {', '.join(FIELDS)} or another one.")]
Html = Annotated[Path | None, typer.Option(help="Write a report with the confusion matrix.")]


def classify(file: File, label: Label = FIELDS[0], as_json: AsJson = False, html: Html = None) -> None:
    """Learn four fifths of a help desk's tickets, tell the type of the others; five folds by hash of the id."""
    from cli.evaluate.classifiers.linear_training import Options, cross_validated
    from triage.policy.classifiers.linear_classifier import FeatureShape

    examples = tuple(_examples(file, label))
    if len({example.label for example in examples}) < 2:  # noqa: PLR2004 - two are the least
        raise SettingsInvalid((f"{file.name}: fewer than two labels of {label}: there is nothing to tell apart",))
    answers = cross_validated(examples, Options(shape=FeatureShape(longest=0)))
    figures = figures_of([example.label for example in examples], answers)
    if html:
        _report(file, label, figures, html)
    if as_json:
        print_json(figures)
        return
    names = sorted(figures.confusion)
    rows = [(right, *(str(figures.confusion[right][answer]) for answer in names)) for right in names]
    title = f"{figures.cases} tickets: accuracy {figures.accuracy:.3f}, macro F1 {figures.macro_f1:.3f}"
    screen().print(table((label, *(f"told {name}" for name in names)), rows, title))


def _examples(file: Path, label: str) -> Iterator["TextExample"]:
    """Read the tickets. Raises `SettingsInvalid` that names the first wrong line."""
    from cli.evaluate.classifiers.linear_training import TextExample

    for _, row in rows_of(file, ("id", "title", "body", label)):
        yield TextExample(f"{row['title']}\n{row['body']}", str(row[label]), str(row["id"]))


def figures_of(right: Sequence[str], answers: Sequence[str]) -> ClassifyFigures:
    """Compute accuracy, macro F1 and the confusion table from the right types and the predicted ones."""
    names = sorted({*right, *answers})
    pairs = list(zip(right, answers, strict=True))
    confusion = {name: {answer: pairs.count((name, answer)) for answer in names} for name in names}
    return ClassifyFigures(
        cases=len(pairs),
        accuracy=accuracy(pairs),
        macro_f1=macro_f1(pairs, names),
        confusion=confusion,
    )


def _report(file: Path, label: str, figures: ClassifyFigures, html: Path) -> None:
    from cli.evaluate import report

    page = report.ReportPage(
        f"triage eval classify {file.name}", f"Five folds by hash of the id; the field is {label}."
    )
    page.figures("Figures", {"cases": figures.cases, "accuracy": figures.accuracy, "macro F1": figures.macro_f1})
    page.plot("Confusion: rows are the right types, columns the predicted ones", report.confusion(figures.confusion))
    page.write(html)
