"""A tracker's past replayed: nothing of the future is known."""

import gzip
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cli.evaluate.history import moments, read_past
from triage.domain.errors import SettingsInvalid


def row(day: int, summary: str, who: str | None, **more: Any) -> dict[str, Any]:
    """A ticket of January, fixed two days later."""
    plain = {
        "id": f"OPS-{day}", "project": "OPS", "type": "Bug", "summary": summary, "description": None,
        "component": ["Web"], "assignee": who, "created": f"2026-01-{day:02}T08:00:00Z",
        "resolved": f"2026-01-{day + 2:02}T08:00:00Z", "resolution": "Fixed",
    }  # fmt: skip
    return plain | more


def of_fold(number: int, fold: str, text: str, who: str) -> dict[str, Any]:
    """A line of a file with folds."""
    created = f"2006-01-0{number // 10} 0{number % 10}:00:00 EST"
    return {"id": str(number), "fold": fold, "created": created, "component": "Core", "assignee": who, "text": text}


def written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """A file of these lines, the last ones first."""
    text = "\n".join(json.dumps(each) for each in reversed(rows))
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


PAST = [
    row(1, "Invoice export stops", "ada"),
    row(2, "Login is slow", "bob"),
    row(3, "Login page is white", "bob", resolved=None, resolution=None),
    row(4, "Login again, see OPS-2", "bob", project="OTHER"),
    row(5, "Login fails", "bob"),
    row(9, "Invoice export stops at night", "ada"),
    row(10, "Login is slow on Mondays", "bob"),
    row(11, "Nobody's", None),
]
FOLDS = [
    of_fold(11, "train1", "export of invoices stops", "ada"),
    of_fold(12, "train1", "login page slow", "bob"),
    of_fold(21, "test1", "login page white", "bob"),
    of_fold(22, "test1", "export invoices hangs", "ada"),
    of_fold(31, "test2", "invoices export empty", "ada"),
    of_fold(32, "test2", "zeppelin", "eve"),
    of_fold(33, "test2", "login page late", "bob"),
]


@pytest.mark.parametrize("name", ["past.jsonl", "past.jsonl.gz"])
def test_nothing_of_the_future_is_known(tmp_path: Path, name: str) -> None:
    """Each ticket sees the earlier ones as they stood when it came, with the open tickets of that day."""
    (export,) = moments(read_past([written(tmp_path / name, PAST)], "OPS"), {"OPS-9"})

    assert [ticket.key for ticket in export.assigned] == ["OPS-5", "OPS-2", "OPS-1", "OPS-3"]
    assert [ticket.key for ticket in export.assigned if ticket.open] == ["OPS-3"]
    assert export.open == {"bob": 1}
    assert [ticket.key for ticket in export.found] == ["OPS-1"]
    assert export.assigned[0].updated == datetime(2026, 1, 7, 8, tzinfo=UTC)
    assert {person.id for person in export.people} == {"ada", "bob"}
    assert export.components == ("Web",)


def test_open_tickets_are_forgotten(tmp_path: Path) -> None:
    """Whose they were is not known from a tracker's past, so they say nothing where closed ones alone are to count."""
    (late,) = moments(read_past([written(tmp_path / "a.jsonl", PAST)], "OPS"), {"OPS-10"}, closed_only=True)

    assert [ticket.key for ticket in late.assigned] == ["OPS-5", "OPS-2", "OPS-1"]
    assert {ticket.key for ticket in late.found} == {"OPS-2", "OPS-5"}


def test_files_are_one_history(tmp_path: Path) -> None:
    """Whatever their order."""
    files = [written(tmp_path / "b.jsonl", PAST[4:]), written(tmp_path / "a.jsonl", PAST[:4])]

    assert [past.id for past in read_past(files)] == [row["id"] for row in PAST]


def test_a_fold_knows_the_folds_before_it(tmp_path: Path) -> None:
    """Nothing of its own, however late in it a ticket comes; tickets of earlier folds are done."""
    asked = {"21", "31", "33"}
    told = {one.asked.id: one for one in moments(read_past([written(tmp_path / "f.jsonl", FOLDS)]), asked)}

    assert {key: {t.key for t in one.assigned} for key, one in told.items()} == {
        "21": {"11", "12"},
        "31": {"11", "12", "21", "22"},
        "33": {"11", "12", "21", "22"},
    }
    assert not any(ticket.open for ticket in told["33"].assigned)
    assert told["33"].at == datetime(2006, 1, 2, 7, tzinfo=UTC)
    assert told["33"].assigned is told["31"].assigned


@pytest.mark.parametrize(
    "rows", [[{"id": "x"}], [row(1, "a", "ada", created="yesterday")], [row(1, "a", None)], [of_fold(11, "t", "a", "")]]
)
def test_unusable_files_are_refused(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    """With the file's name and what is wrong."""
    with pytest.raises(SettingsInvalid, match=r"bad\.jsonl"):
        read_past([written(tmp_path / "bad.jsonl", rows)])


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    """A line that is no JSON, a file that is not packed."""
    (tmp_path / "bad.jsonl").write_text("{")
    (tmp_path / "bad.jsonl.gz").write_text("{}")

    for name in ("bad.jsonl", "bad.jsonl.gz"):
        with pytest.raises(SettingsInvalid, match=name.replace(".", r"\.")):
            read_past([tmp_path / name])
