"""Who should do it: the proposals on a real tracker in the order of time, and what one costs."""

import time
from pathlib import Path

import pytest

from cli.evaluate.backtest import measured, ranking_of
from cli.evaluate.history import Snapshot, moments, read_past
from triage.domain.tickets import Ticket
from triage.policy.people.expertise import history_of
from triage.policy.text.tokenizer import terms_in

pytestmark = pytest.mark.bench

ASKED = 1_000
"""The last so many tickets that were fixed by somebody."""
TIMED = 100
RECENT = 500


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("component", "top1", "top5"), [(False, 0.42, 0.74), (True, 0.47, 0.78)])
def test_the_right_person_is_named(shared_data: Path, *, component: bool, top1: float, top5: float) -> None:
    """On a later part of a real tracker than the models were trained on, from closed tickets alone."""
    told = measured(
        [shared_data / "bugs-titanium" / "issues.jsonl.gz"], project="TIMOB", last=ASKED, per_fold=1, component=component,
        closed_only=True, shown=lambda *_: None,
    )  # fmt: skip
    print(f"\n{told.summary}: {told.figures} {told.proposals}")

    assert told.figures["top1"] >= top1
    assert told.figures["top5"] >= top5
    assert told.figures["coverage_at_75"] >= 0.15


@pytest.mark.timeout(300)
def test_a_suggestion_costs_less_than_cutting_up_its_tickets(shared_data: Path) -> None:
    """With 500 recent and up to 200 found tickets the warm way is a fraction of tokenising them once, the plain way's first step."""
    tickets = read_past([shared_data / "bugs-titanium" / "issues.jsonl.gz"], "TIMOB")
    wanted = {past.id for past in tickets if past.assignee and past.fixed}
    asked = list(moments(tickets, set(sorted(wanted)[:: len(wanted) // TIMED])))
    warm, plain = sum(map(_warm, asked)), sum(map(_plain, asked))
    print(
        f"\n{len(asked)} suggestions: {warm / len(asked) * 1000:.1f} ms each, tokenising alone {plain / len(asked) * 1000:.1f} ms"
    )

    assert warm < plain / 5


def _warm(moment: Snapshot) -> float:
    history = history_of(moment.assigned[:RECENT])
    ranking_of(moment, history, component=False)
    began = time.perf_counter()
    ranking_of(moment, history, component=False)
    return time.perf_counter() - began


def _plain(moment: Snapshot) -> float:
    known: tuple[Ticket, ...] = (*moment.assigned[:RECENT], *moment.found)
    began = time.perf_counter()
    for ticket in known:
        terms_in(f"{ticket.summary}\n{ticket.description}")
    return time.perf_counter() - began
