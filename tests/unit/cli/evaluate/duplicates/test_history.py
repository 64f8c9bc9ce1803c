"""Histories of reports: what is read, what is left out, and which reports are asked."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.evaluate.duplicates.history import HistoryReport, history_of
from triage.domain.errors import SettingsInvalid


def report(number: int, **more: object) -> dict[str, object]:
    """A report of day `number`."""
    return {
        "id": f"A-{number}",
        "summary": f"HistoryReport {number}",
        "created": f"2026-01-{number:02}T10:00:00+00:00",
        **more,
    }


def written(path: Path, *rows: dict[str, object]) -> Path:
    """A file of these reports, packed if its name says so."""
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def ids(found: list[HistoryReport]) -> list[str]:
    """Their ids."""
    return [each.id for each in found]


def test_files_are_one_history_by_age(tmp_path: Path) -> None:
    """Packed and plain files are mixed by creation; a file named twice counts once."""
    one = written(tmp_path / "one.jsonl.gz", report(1), report(3))
    other = written(tmp_path / "other.jsonl", report(2))

    assert [each.id for each in history_of([one, other, one]).reports] == ["A-1", "A-2", "A-3"]


def test_duplicates_name_an_earlier_report(tmp_path: Path) -> None:
    """A report is asked if one that it names came before; later and unknown ones make it no question."""
    rows = (report(1, dup_of=["A-2"]), report(2), report(3, dup_of=["A-2"]), report(4, dup_of=["B-9"]), report(5))
    history = history_of([written(tmp_path / "a.jsonl", *rows)])

    assert ids(history.duplicates(tmp_path / "a.jsonl")) == ["A-3"]
    assert history.groups["A-1"] == {"A-1", "A-2", "A-3"}
    assert ids(history.others(tmp_path / "a.jsonl")) == ["A-5"]


def test_only_the_asked_file_is_asked(tmp_path: Path) -> None:
    """An inbox asks, the tracker behind it is history."""
    tracker = written(tmp_path / "tracker.jsonl", report(1), report(2, dup_of=["A-1"]))
    inbox = written(tmp_path / "inbox.jsonl", report(3, dup_of=["A-1"]), report(4, resolution="Duplicate"), report(5))
    history = history_of([tracker, inbox])

    assert ids(history.duplicates(inbox)) == ["A-3"]
    assert ids(history.others(inbox)) == ["A-5"]


def test_keys_and_links_are_taken_out(tmp_path: Path) -> None:
    """They may say which ticket it is."""
    row = report(1, summary="As OPS-17", description="see https://jira.example/browse/OPS-17 now")
    (only,) = history_of([written(tmp_path / "a.jsonl", row)]).reports

    assert (only.summary.split(), only.description.split()) == (["As"], ["see", "now"])


def test_a_ticket_is_done_from_its_date_on() -> None:
    """Before, nothing shows that it will be."""
    done = datetime(2026, 1, 9, tzinfo=UTC)
    past = HistoryReport(
        id="A-1", file=Path("a"), type="Bug", summary="x", description="", components=("UI",),
        created=datetime(2026, 1, 1, tzinfo=UTC), done=done, duplicates=(), resolution="Fixed",
    )  # fmt: skip
    before, after = (
        past.ticket("ALL-1", datetime(2026, 1, 5, tzinfo=UTC)),
        past.ticket("ALL-1", datetime(2026, 2, 1, tzinfo=UTC)),
    )

    assert (before.open, before.updated, before.done_at) == (True, past.created, None)
    assert (after.open, after.updated, after.done_at) == (False, done, done)


@pytest.mark.parametrize(
    ("text", "day"),
    [("2020-01-02T16:30:00Z", 2), ("02/Jan/20 16:30", 2), ("2020-01-02T16:30:00", 2), ("02/Jan/20 4:30 PM", 2)],
)
def test_times_of_jiras_exports_are_read(tmp_path: Path, text: str, day: int) -> None:
    """ISO 8601 with or without a zone, and as Jira's CSV has them."""
    (only,) = history_of([written(tmp_path / "a.jsonl", report(1, resolved=text))]).reports

    assert only.done is not None
    assert (only.done.day, only.done.hour) == (day, 16)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"id": "A-1"}, "lacks summary, created"),
        (report(1, created="soon"), "is no report"),
        ({**report(1), "dup_of": 7}, "is no report"),
    ],
)
def test_another_schema_is_named(tmp_path: Path, row: dict[str, object], problem: str) -> None:
    """The message says which line, and what it lacks."""
    with pytest.raises(SettingsInvalid, match=f"a.jsonl, line 1: {problem}"):
        history_of([written(tmp_path / "a.jsonl", row)])
