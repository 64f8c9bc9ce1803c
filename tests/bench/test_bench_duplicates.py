"""Duplicate search on real trackers: how often the right ticket is found, and how often a wrong one is linked."""

import gzip
import json
import random
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest

from triage.domain.findings import Candidate
from triage.domain.mail import Message
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.text.cues import cues_of
from triage.policy.ticket.duplicates import score, search_words

pytestmark = pytest.mark.bench

THRESHOLD: Final = 0.55
FOUND: Final = 50
WARM: Final = 300
"""Reports that are there before the first question."""
OTHERS: Final = 600
"""Reports without a known duplicate that are asked as well."""
GIVEN_AWAY: Final = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b|\S*://\S*")
"""Keys and links may say which ticket it is."""


@dataclass(frozen=True)
class Answer:
    """One report asked as if it were a mail."""

    right: frozenset[str]
    """Earlier reports of the same thing, none where it is the first of its kind."""
    searched: tuple[str, ...]
    ranked: tuple[Candidate, ...]
    ms: float

    def place(self, keys: Sequence[str]) -> int:
        """Where the first right one stands, from 1; far away where there is none."""
        return next((at for at, key in enumerate(keys, 1) if key in self.right), FOUND + 1)


def reports(path: Path) -> list[dict[str, Any]]:
    """All reports by age, without what gives a duplicate away."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    for report in found:
        report["summary"] = GIVEN_AWAY.sub(" ", report["summary"])
        report["description"] = GIVEN_AWAY.sub(" ", report["description"] or "")
    return sorted(found, key=lambda report: str(report["created"]))


def groups(found: Sequence[dict[str, Any]]) -> dict[str, set[str]]:
    """For each report that is or has a duplicate: all of the same thing."""
    group: dict[str, set[str]] = {}
    known = {report["id"] for report in found}
    for report in found:
        for other in report["dup_of"]:
            if other in known:
                joined = group.get(report["id"], {report["id"]}) | group.get(other, {other})
                group |= dict.fromkeys(joined, joined)
    return group


def ticket(report: dict[str, Any]) -> Ticket:
    """A report as a ticket; what is known of it only later (status, resolution, last change) is left out."""
    return Ticket(
        key=report["id"],
        summary=Untrusted(report["summary"]),
        description=Untrusted(report["description"]),
        status="Open",
        category="new",
        issue_type=report["type"],
        components=tuple(report["component"]),
        created=datetime.fromisoformat(report["created"]),
    )


def ask(report: dict[str, Any], index: sqlite3.Connection, tickets: dict[str, Ticket], right: set[str]) -> Answer:
    """What the search returns for a report, and how `score` ranks it."""
    summary, description = Untrusted(report["summary"]), Untrusted(report["description"])
    mail = Message(subject=summary, reply=description, date=datetime.fromisoformat(report["created"]))
    began = time.process_time()
    words = search_words(f"{summary}\n{description}")
    spent = time.process_time() - began
    wanted = " OR ".join(f'"{word}"' for word in words) or '""'
    rows = index.execute("SELECT key FROM ticket WHERE ticket MATCH ? ORDER BY rank LIMIT ?", (wanted, FOUND))
    searched = tuple(str(row[0]) for row in rows)
    began = time.process_time()
    ranked = score(mail, [tickets[key] for key in searched], cues_of(mail))
    spent += time.process_time() - began
    return Answer(frozenset(right), searched, ranked, spent * 1000)


def answers(tracker: Sequence[dict[str, Any]], inbox: Sequence[dict[str, Any]] = ()) -> Iterator[Answer]:
    """Every duplicate and a sample of the others, asked in the order of time: of the inbox, else of the tracker."""
    everything = sorted([*tracker, *inbox], key=lambda report: str(report["created"]))
    group = groups(everything)
    asking = inbox or tracker[WARM:]
    single = [r["id"] for r in asking if r["id"] not in group and r.get("resolution") != "Duplicate"]
    asked = set(random.Random(1).sample(single, min(OTHERS, len(single)))) | {r["id"] for r in asking} & group.keys()
    known = {report["id"] for report in tracker}
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE ticket USING fts5(key UNINDEXED, title, text, tokenize='porter unicode61')")
    tickets: dict[str, Ticket] = {}
    for report in everything:
        right = group.get(report["id"], set()) & tickets.keys()
        if report["id"] in asked and (right or report["id"] not in group):
            yield ask(report, index, tickets, right)
        if report["id"] in known:
            tickets[report["id"]] = ticket(report)
            row = (report["id"], report["summary"], report["description"])
            index.execute("INSERT INTO ticket VALUES (?, ?, ?)", row)


def recall(places: Sequence[int], at: int) -> float:
    """Share of the questions whose right answer stands at this place or before."""
    return sum(place <= at for place in places) / len(places)


@pytest.mark.parametrize(
    ("tracker", "inbox"), [("bugs-hadoop", ""), ("bugs-titanium", ""), ("bugs-titanium", "inbox-appcelerator")]
)
@pytest.mark.timeout(600)
def test_ranking_beats_the_search_it_ranks(tracker: str, inbox: str, shared_data: Path) -> None:
    """On a real tracker `score` brings the right ticket further up than the search had it, and seldom links wrongly."""
    asking = reports(shared_data / inbox / "issues.jsonl.gz") if inbox else ()
    told = list(answers(reports(shared_data / tracker / "issues.jsonl.gz"), asking))
    duplicates, others = [a for a in told if a.right], [a for a in told if not a.right]
    before = [a.place(a.searched) for a in duplicates]
    after = [a.place([c.ticket.key for c in a.ranked]) for a in duplicates]
    linked = [a.place([a.ranked[0].ticket.key]) == 1 for a in duplicates if a.ranked and a.ranked[0].score >= THRESHOLD]
    wrongly = sum(bool(a.ranked) and a.ranked[0].score >= THRESHOLD for a in others) / len(others)
    times = sorted(a.ms for a in told)
    print(
        f"\n{inbox or 'reports'} of {tracker}: {len(duplicates)} duplicates, {len(others)} others; {FOUND} candidates by an OR of 8 words"
    )
    print("               R@1    R@5    R@10   R@50")
    for name, places in (("search order", before), ("score", after)):
        print(f"{name:<14}" + "".join(f"{recall(places, at):7.3f}" for at in (1, 5, 10, FOUND)))
    print(
        f"score >= {THRESHOLD}: {len(linked)} duplicates reach it ({len(linked) / len(duplicates):.1%}), "
        f"{sum(linked)} of them on the right ticket; of the others {wrongly:.1%} reach it"
    )
    print(f"words and score: {times[len(times) // 2]:.1f} ms in the middle, {times[-1]:.1f} ms at most")

    assert recall(after, 1) > recall(before, 1)
    assert recall(after, 10) > recall(before, 10)
    assert wrongly < 0.1
