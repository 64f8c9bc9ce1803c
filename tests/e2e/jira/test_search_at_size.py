"""Finding what is known already in a project of real size, over either Jira's own HTTP."""

import random
from pathlib import Path
from typing import Any, Final

import pytest

from tests.e2e.installation import Installation
from tests.servers.sandbox import RunningJira

TWINS: Final = (
    ("Turntable of the stretch wrapper stops halfway", "The wrapper's turntable stands still with a half wrapped pallet on it."),
    ("Stretch wrapper halts mid-cycle", "Film tears and the turntable does not go on, in hall 4."),
    ("Wrapper: turntable drive trips", "The drive of the turntable trips when a heavy pallet is on the stretch wrapper."),
    ("Pallets leave the wrapping station half wrapped", "Our stretch wrapper: the turntable gets stuck on the way round."),
    ("Turntable jams", "Jam at the stretch wrapper, film everywhere. The pallet has to come down by hand."),
)  # fmt: skip
NOISE: Final = (
    "pallet", "hall", "stops", "order", "customer", "label", "printer", "scanner", "film", "stuck", "heavy", "shift",
    "shipment", "screen", "login", "invoice", "slow", "wrong", "report", "driver", "station", "half", "hand", "drive",
)  # fmt: skip
LETTER: Final = """\
From: Mirka Talvio <mirka.talvio@northquay.example>
To: helpdesk@harbourline.example
Subject: Stretch wrapper stuck again, turntable does not move
Message-ID: <wrapper-1@northquay.example>
Date: Fri, 20 Nov 2026 09:12:00 +0000

Hello,

since the early shift the stretch wrapper in hall 4 is stuck: the turntable stops with the pallet half wrapped, and the
film has to be cut by hand. The customer waits for this order.

Mirka
"""


def fill(jira: RunningJira) -> list[str]:
    """310 tickets: five about one thing, older than 235 that share its everyday words; the keys of the five."""
    chance = random.Random(5)
    tickets = [*TWINS]
    for _ in range(235):
        words = chance.sample(NOISE, 9)
        tickets.append(
            (
                " ".join(words[:4]).capitalize(),
                f"{' '.join(words[4:]).capitalize()}. It stops the {words[0]} half the day.",
            )
        )
    person = jira.app.site.db.value("SELECT id FROM account WHERE kind = 'atlassian' AND name = 'oskar.lindqvist'")
    keys = []
    with jira.api("2") as api:
        for start in range(0, len(tickets), 40):
            some = [_issue(jira, person, *ticket) for ticket in tickets[start : start + 40]]
            made = api.post("/issue/bulk", json={"issueUpdates": some}).raise_for_status().json()
            keys += [issue["key"] for issue in made["issues"]]
    return keys[: len(TWINS)]


def _issue(jira: RunningJira, person: str, summary: str, description: str) -> dict[str, Any]:
    owner = {"accountId": person} if jira.cloud else {"name": "oskar.lindqvist"}
    fields = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": summary, "description": description}
    return {"fields": {**fields, "assignee": owner}}


@pytest.fixture
def large(any_jira: RunningJira, tmp_path: Path) -> tuple[Installation, list[str]]:
    """An installation whose project has 310 tickets, and the keys of the five twins."""
    twins = fill(any_jira)
    assert (
        any_jira.app.site.db.value(
            "SELECT count(*) FROM issue i JOIN project p ON p.id = i.project WHERE p.key = 'HARB'"
        )
        == 310
    )
    return Installation(folder=tmp_path, jira=any_jira, extra={"ENABLE_SMART_ASSIGNMENT": "true"}), twins


def test_all_twins_are_candidates(large: tuple[Installation, list[str]]) -> None:
    """`triage process` finds every known twin of a mail, and what argues for the assignee is among the candidates."""
    installation, twins = large
    (installation.folder / "mail.eml").write_text(LETTER)
    done = installation.triage("process", "mail.eml")
    assert done.returncode in {0, 1}, done.stderr.decode()
    case = installation.json("show", "1")["case"]
    found = {candidate["ticket"]["key"] for candidate in case["retrieval"]["candidates"]}
    argued = {
        key
        for proposal in case["retrieval"]["proposals"][:1]
        for point in proposal["points"]
        if point["why"].startswith("similar: ")
        for key in point["why"].removeprefix("similar: ").split(", ")
    }

    assert found >= set(twins)
    assert argued
    assert argued <= found
