"""A replay: each question sees what was known when its report came, through the real index and `retrieve`."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.evaluate.duplicates.history import history_of
from cli.evaluate.duplicates.replay import Order, Replay, ReplayQuestion, replayed
from triage.pipeline.steps.retrieve import retrieve

WORDS = ("barcode", "invoice", "tracking", "customs", "login", "carrier")


def tracker(path: Path) -> Path:
    """Sixty reports, one a day; the last repeats the third, which was done meanwhile; the one after it comes later."""
    rows: list[dict[str, object]] = [
        {
            "id": f"A-{number}",
            "summary": f"{WORDS[number % 6]} page {number} fails",
            "description": f"The {WORDS[number % 6]} of station {number} stops with code E{1000 + number}.",
            "created": f"2026-0{1 + number // 28}-{1 + number % 28:02}T10:00:00Z",
            "resolved": "2026-02-20T10:00:00Z" if number == 3 else None,
        }
        for number in range(1, 60)
    ]
    again: dict[str, object] = {
        "summary": "customs page 3 fails again",
        "description": "Station 3 stops with E1003.",
        "dup_of": ["A-3"],
    }
    rows += [{"id": "A-60", "created": "2026-03-20T10:00:00Z", **again}]
    rows += [{"id": "A-61", "created": "2026-03-21T10:00:00Z", **again, "dup_of": ["A-60"]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("order", ["relevance", "newest"])
async def test_a_report_meets_the_past_alone(tmp_path: Path, order: Order) -> None:
    """The right ticket is found with the state it had; the report itself and later ones are not there."""
    history = history_of([tracker(tmp_path / "a.jsonl")])
    async with replayed(history, order) as world:
        asked = [question async for question in _answers(world, {"A-5", "A-60"})]
    early, late = asked

    assert early.right == frozenset()
    assert late.right == {"ALL-3"}
    assert {one.ticket.number for one in early.case.retrieval.candidates} <= {1, 2, 3, 4}
    states = {one.ticket.key: one.ticket.open for one in late.case.retrieval.candidates}
    assert (states["ALL-3"], states["ALL-9"]) == (False, True)
    assert all(one.ticket.number < 60 for one in late.case.retrieval.candidates)


async def _answers(world: Replay, asked: set[str]) -> AsyncIterator[ReplayQuestion]:
    async for question in world.questions(asked):
        yield replace(question, case=await retrieve(question.case, world.services))
