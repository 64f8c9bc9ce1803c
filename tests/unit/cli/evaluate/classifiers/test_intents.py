"""`triage eval intents`: files, figures and the baseline beside them."""

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.evaluate.classifiers.intents import Labelled, _parted, figures_of
from cli.evaluate.command import evaluate
from triage.domain.errors import SettingsInvalid

RUN = CliRunner()
THINGS = ("printer", "badge", "phone", "screen", "scanner", "door", "lamp", "ledger", "report", "heater")
FORMS = (("broken", "my {} has failed"), ("order", "please order another {}"), ("where", "where can I find a {}"))
ROWS = [(form.format(thing), label) for thing in THINGS for label, form in FORMS]


def csv_folder(tmp_path: Path) -> Path:
    """A folder as banking77 has it."""
    for name, rows in (("train", ROWS[:24]), ("test", ROWS[24:])):
        lines = [f'"{text}",{label}' for text, label in rows]
        (tmp_path / f"{name}.csv").write_text("\n".join(("text,category", *lines)))
    return tmp_path


def packed(tmp_path: Path, rows: list[dict[str, str]]) -> Path:
    """A file as clinc150 has it."""
    path = tmp_path / "data.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return path


def test_a_folder_of_csv_is_learnt_and_told(tmp_path: Path) -> None:
    """The documented keys, the baseline's beside them; no text without a category, no recall of such texts."""
    told = json.loads(RUN.invoke(evaluate, ["intents", str(csv_folder(tmp_path)), "--json"]).stdout)

    assert told["cases"] == 6
    assert told["accuracy"] == told["macro_f1"] == 1.0
    assert told["out_of_scope_recall"] is None
    assert set(told["baseline"]) == set(told) - {"baseline"}


def test_texts_without_a_category_are_rejected(tmp_path: Path) -> None:
    """Splits are named in the file; a table is for people."""
    rows = [
        *({"split": "train", "text": text, "intent": label} for text, label in ROWS),
        {"split": "oos_train", "text": "a rainbow", "intent": "oos"},
        {"split": "val", "text": "nobody reads this", "intent": "order"},
        {"split": "test", "text": "my lamp has failed again", "intent": "broken"},
        {"split": "oos_test", "text": "xyzzy", "intent": "oos"},
    ]

    shown = " ".join(RUN.invoke(evaluate, ["intents", str(packed(tmp_path, rows))]).stdout.split())

    assert "1 texts with a category, 1 without" in shown
    assert "ours" in shown


def test_a_file_without_a_test_part_is_parted_by_hash() -> None:
    """A fifth or so is told, and nothing that is told was learnt."""
    rows = [Labelled(text, label, "") for text, label in ROWS]
    learnt, told = _parted(rows)

    assert 1 <= len(told) <= 15
    assert {*learnt, *told} == set(rows)
    assert len(learnt) + len(told) == len(rows)


def test_figures_count_a_rejection_as_wrong() -> None:
    """In scope it is an error, outside it is right."""
    told = [
        Labelled("a", "x", "test"),
        Labelled("b", "y", "test"),
        Labelled("c", "", "test"),
        Labelled("d", "", "test"),
    ]

    found = figures_of(told, ["x", "", "", "x"])

    assert (found.cases, found.accuracy, found.macro_f1, found.out_of_scope_recall) == (2, 0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 1: is no JSON"),
        ('{"text": "without"}', "line 1: has no text and category"),
        ("[1]", "line 1: is no object"),
        ('{"text": "a", "intent": "one"}', "fewer than two categories"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, line: str, problem: str) -> None:
    """With its line and what is missing."""
    path = tmp_path / "wrong.jsonl"
    path.write_text(line)

    found = RUN.invoke(evaluate, ["intents", str(path)]).exception

    assert isinstance(found, SettingsInvalid)
    assert problem in str(found)
