"""`triage eval classify`: folds, figures and the confusion of labels."""

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.evaluate.classifiers.classify import figures_of
from cli.evaluate.command import evaluate
from triage.domain.errors import SettingsInvalid

RUN = CliRunner()
THINGS = ("printer", "badge", "phone", "screen", "scanner", "door", "lamp", "ledger", "report", "heater")
ROWS = [
    {"id": number, "title": f"{thing} {title}", "body": body.format(thing), "ticket_type": label, "category": "1"}
    for number, (thing, (label, title, body)) in enumerate(
        (thing, form)
        for thing in THINGS
        for form in (
            ("0", "broken", "the {} does not work and shows an error"),
            ("1", "order", "please order a new {}"),
        )
    )
]


def file_of(tmp_path: Path, rows: object, name: str = "t.jsonl.gz") -> str:
    """A file of tickets, packed."""
    path = tmp_path / name
    text = "".join(f"{json.dumps(row)}\n" for row in rows)  # type: ignore[attr-defined] # a list of rows
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return str(path)


@pytest.mark.parametrize("name", ["t.jsonl.gz", "t.jsonl"])
def test_types_are_learnt_from_the_other_folds(tmp_path: Path, name: str) -> None:
    """What tells incidents from requests is learnt from four folds and told in the fifth, with the documented keys."""
    told = json.loads(RUN.invoke(evaluate, ["classify", file_of(tmp_path, ROWS, name), "--json"]).stdout)

    assert told == {
        "cases": 20,
        "accuracy": 1.0,
        "macro_f1": 1.0,
        "confusion": {"0": {"0": 10, "1": 0}, "1": {"0": 0, "1": 10}},
    }


def test_a_person_reads_a_table_and_a_page(tmp_path: Path) -> None:
    """The table and the report show the confusion matrix."""
    page = tmp_path / "r.html"

    shown = RUN.invoke(evaluate, ["classify", file_of(tmp_path, ROWS), "--html", str(page)])

    assert "macro F1 1.000" in " ".join(shown.stdout.split())
    assert ">10</td>" in page.read_text()


def test_rare_labels_count_as_much_as_frequent_ones() -> None:
    """Macro F1 is the mean over labels: always saying the frequent one is accurate and worth little."""
    figures = figures_of(["a"] * 9 + ["b"], ["a"] * 10)

    assert figures.accuracy == 0.9
    assert figures.macro_f1 == 0.4737
    assert figures.confusion == {"a": {"a": 9, "b": 0}, "b": {"a": 1, "b": 0}}


@pytest.mark.parametrize(
    ("rows", "options", "problem"),
    [
        ([{"id": 1, "title": "a"}], [], "line 1: lacks body, ticket_type"),
        (ROWS, ["--label", "colour"], "lacks colour"),
        (ROWS, ["--label", "category"], "fewer than two labels"),
        ([], [], "fewer than two labels"),
    ],
)
def test_a_file_without_labels_is_told(tmp_path: Path, rows: object, options: list[str], problem: str) -> None:
    """A wrong line, an unknown field and a field that is always the same are named."""
    result = RUN.invoke(evaluate, ["classify", file_of(tmp_path, rows), *options])

    assert isinstance(result.exception, SettingsInvalid)
    assert problem in str(result.exception)
