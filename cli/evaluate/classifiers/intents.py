"""`triage eval intents`: measures how well categories are learnt from examples, and whether texts of no category are told."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from zlib import crc32

import typer

from cli.console import print_json, screen, table
from cli.evaluate.classifiers.linear_training import accuracy, macro_f1
from cli.evaluate.data_files import rows_of
from cli.verb import AsJson
from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.policy.intents.classifier import IntentClassifier
    from triage.policy.intents.features import Sample

OUTSIDE: Final = frozenset({"", "oos", "out_of_scope", "none"})
"""Labels of texts that belong to no category."""
TEXTS: Final = ("text", "question", "utterance", "title")
LABELS: Final = ("category", "intent", "label")
TRAIN: Final = "train"
TEST: Final = "test"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text of a file."""

    text: str
    label: str
    """Empty if it belongs to no category."""
    split: str
    """`train` or `test`; empty: the file does not say."""


@dataclass(frozen=True, slots=True)
class IntentFigures:
    """How well one classifier did on the test part."""

    cases: int
    accuracy: float
    """Part of the texts with a category that got it; where the file has texts without one, to reject such a text is wrong."""
    macro_f1: float
    """Mean of the F1 scores of all categories, each counted alike."""
    out_of_scope_recall: float | None
    """Part of the texts without a category that were rejected; null where the file has none."""
    out_of_scope_cases: int = 0


Files = Annotated[
    list[Path],
    typer.Argument(
        exists=True, help="A folder with train.csv and test.csv, such files, or .jsonl(.gz) with split, text, intent."
    ),
]


def intents(files: Files, as_json: AsJson = False) -> None:
    """Learn the categories of the train part and of a tf-idf baseline, tell those of the test part. Exit code 1 if the baseline is not beaten.

    Lines whose category is empty or `oos` belong to no category: none are learnt, and those of the test part should be
    rejected. A file without a test part is parted by hash: a fifth is told.
    """
    rows = [row for file in files for row in _rows(file)]
    learnt, asked = _parted(rows)
    ours = measured(learnt, asked, wide=True)
    baseline = measured(learnt, asked, wide=False)
    if as_json:
        print_json({**_shown(ours), "baseline": _shown(baseline)})
    else:
        lines = [
            (
                name,
                *(
                    f"{value:.3f}" if value is not None else "-"
                    for value in (one.accuracy, one.macro_f1, one.out_of_scope_recall)
                ),
            )
            for name, one in (("ours", ours), ("tf-idf, linear", baseline))
        ]
        title = f"{ours.cases} texts with a category, {ours.out_of_scope_cases} without"
        screen().print(table(("classifier", "accuracy", "macro F1", "out of scope: recall"), lines, title))
    raise typer.Exit(0 if ours.accuracy > baseline.accuracy else 1)


def measured(learnt: Sequence[Labelled], asked: Sequence[Labelled], *, wide: bool) -> IntentFigures:
    """Train on one part and judge the other; `wide=False` is the baseline: tf-idf of single words, and the same training."""
    from triage.policy.intents.classifier import train

    known = [row for row in learnt if row.label]
    classifier = train([_sample(row) for row in known], [row.label for row in known], wide=wide)
    return figures_of(asked, _answers(classifier, asked))


def _answers(classifier: "IntentClassifier", asked: Sequence[Labelled]) -> list[str]:
    """Return the category of each text, empty for none. Nothing is rejected where every text has a category."""
    rejects = any(not row.label for row in asked)
    judged = classifier.judge([_sample(row) for row in asked])
    return [one.label if one.known or not rejects else "" for one in judged]


def _sample(row: Labelled) -> "Sample":
    from triage.policy.intents.features import Sample

    return Sample(row.text)


def figures_of(asked: Sequence[Labelled], answers: Sequence[str]) -> IntentFigures:
    """Compute the figures of one classifier from its answers on the test part."""
    inside = [(row.label, answer) for row, answer in zip(asked, answers, strict=True) if row.label]
    outside = [answer for row, answer in zip(asked, answers, strict=True) if not row.label]
    return IntentFigures(
        cases=len(inside),
        accuracy=accuracy(inside),
        macro_f1=macro_f1(inside, {label for label, _ in inside}),
        out_of_scope_recall=round(outside.count("") / len(outside), 4) if outside else None,
        out_of_scope_cases=len(outside),
    )


def _shown(figures: IntentFigures) -> dict[str, Any]:
    return {name: getattr(figures, name) for name in IntentFigures.__slots__}


def _parted(rows: Sequence[Labelled]) -> tuple[list[Labelled], list[Labelled]]:
    """Return what is learnt and what is told. Raises `SettingsInvalid` where there is nothing to tell apart."""
    tests = any(row.split == TEST for row in rows)
    parts = [row.split if tests else (TEST if crc32(row.text.encode()) % 5 == 0 else TRAIN) for row in rows]
    learnt = [row for row, part in zip(rows, parts, strict=True) if part == TRAIN]
    test_rows = [row for row, part in zip(rows, parts, strict=True) if part == TEST]
    if len({row.label for row in learnt if row.label}) < 2 or not any(row.label for row in test_rows):  # noqa: PLR2004 - two are the least
        raise SettingsInvalid(("fewer than two categories to learn, or no text to tell: give a train and a test part",))
    return learnt, test_rows


def _rows(path: Path) -> Iterator[Labelled]:
    """Read a file, or all that a folder has. Raises `SettingsInvalid` that names a wrong line."""
    if path.is_dir():
        for file in sorted(path.iterdir()):
            if file.suffix == ".csv" or file.name.endswith((".jsonl", ".jsonl.gz")):
                yield from _rows(file)
        return
    lines = _csv_rows(path) if path.suffix == ".csv" else rows_of(path)
    for number, row in lines:
        yield _labelled(path, number, row)


def _csv_rows(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from enumerate(csv.DictReader(file), 2)


def _labelled(path: Path, number: int, row: Mapping[str, Any]) -> Labelled:

    try:
        text = next(str(row[name]) for name in TEXTS if row.get(name))
        label = next(str(row[name] or "") for name in LABELS if name in row)
    except StopIteration as e:
        raise SettingsInvalid((f"{path.name}, line {number}: has no text and category (or intent)",)) from e
    split = str(row.get("split") or path.name.partition(".")[0]).removeprefix("oos_")
    return Labelled(text, "" if label.lower() in OUTSIDE else label, split if split in {TRAIN, TEST, "val"} else "")
