"""A tracker's past replayed: nothing of the future is known, and the rules are counted right."""

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.__main__ import app
from cli.evaluate.backtest import measured, moments, tickets_of
from triage.domain.errors import SettingsInvalid


def row(day: int, summary: str, who: str | None, **more: Any) -> dict[str, Any]:
    """A ticket of January, fixed two days later."""
    plain = {
        "id": f"OPS-{day}", "project": "OPS", "type": "Bug", "summary": summary, "description": None,
        "component": ["Web"], "assignee": who, "created": f"2026-01-{day:02}T08:00:00Z",
        "resolved": f"2026-01-{day + 2:02}T08:00:00Z", "resolution": "Fixed",
    }  # fmt: skip
    return plain | more


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


@pytest.fixture(params=["past.jsonl", "past.jsonl.gz"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The past, plain and packed, in no order."""
    path = tmp_path / str(request.param)
    text = "\n".join(json.dumps(each) for each in reversed(PAST))
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_nothing_of_the_future_is_known(file: Path) -> None:
    """Each ticket sees the earlier ones as they stood when it came, with the open tickets of that day."""
    (export,) = (moment for moment in moments(tickets_of(file, "OPS"), 2) if moment.asked.id == "OPS-9")

    assert {ticket.key for ticket in (*export.recent, *export.found)} == {"OPS-1", "OPS-2", "OPS-3", "OPS-5"}
    assert {ticket.key for ticket in export.recent if ticket.open} == {"OPS-3"}
    assert export.open == {"bob": 1}
    assert export.found[0].key == "OPS-1"
    assert export.recent[0].updated == datetime(2026, 1, 7, 8, tzinfo=UTC)


def test_the_right_ones_are_counted(file: Path) -> None:
    """First place and the first three, for each rule."""
    tallies = measured(file, "OPS", 2)

    assert (tallies["as delivered"].asked, tallies["as delivered"].first) == (2, 2)
    assert tallies["most frequent of 90 days"].figures["top1"] == 0.5
    assert tallies["most frequent of 90 days"].figures["top3"] == 1.0


def test_the_command_prints_them(file: Path) -> None:
    """As a table, and for machines; keys of other tickets are no help."""
    table = CliRunner().invoke(app, ["eval", "assignment", str(file), "--project", "OPS", "--last", "2"])
    machine = CliRunner().invoke(app, ["eval", "assignment", str(file), "--json"])

    assert table.exit_code == machine.exit_code == 0
    assert "2 tickets in the order of time" in table.output
    assert json.loads(machine.output)["tickets"] == 6
    assert not any("OPS-2" in past.summary for past in tickets_of(file))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not one ticket a line as JSON"),
        ('{"id": 1, "project": "OPS"}', "KeyError"),
        ("", "no ticket of any project was fixed"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, text: str, told: str) -> None:
    """With its name and what was expected."""
    path = tmp_path / "odd.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsInvalid, match=told):
        tickets_of(path)
