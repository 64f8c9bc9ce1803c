"""How often Jira is asked for a mail, beside the straightforward way with the `jira` package; Jira's journal counts."""

import os
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email.utils import format_datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

import pytest
from jira import JIRA

from cli.mail.process import worked
from cli.wiring.app import App, open_app
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, load
from triage.domain.cases import Outcome
from triage.domain.mail import Received, Trust
from triage.domain.reports import Report
from triage_sandbox.company import DemoMail, mails

pytestmark = pytest.mark.bench

ByHand = Callable[[JIRA], None]
MOST: Final = {"new, with an owner": 3, "answer in a thread": 3, "known already, found": 3}
"""Requests to Jira that a mail may cost, everything warm."""
WARM: Final = "01-barcode-cut-off"
OPEN: Final = "assignee = '{}' AND statusCategory != Done"


@asynccontextmanager
async def house(jira: RunningJira, folder: Path) -> AsyncIterator[App]:
    """As a user would have it, with assignment on; rules decide: for a model the pages of likely tickets are read, too."""
    given = {
        "DATABASE_URL": f"sqlite:///{folder / 'triage.db'}",
        "TRIAGE_CONFIG": os.devnull,
        "LOG_LEVEL": "ERROR",
        "ENABLE_SMART_ASSIGNMENT": "true",
        **jira.settings,
    }
    async with open_app(load(Isolated, **given)) as opened:
        yield opened


def letter(name: str) -> DemoMail:
    """One of the company's mails."""
    return next(mail for mail in mails() if mail.name.startswith(name))


async def handled(opened: App, name: str) -> Report:
    """A mail of a proven sender that the mail server has just received, worked to its end."""
    now = opened.worker.clock.now()
    raw = f"Received: from shop.example by mx.harbourline.example; {format_datetime(now)}\n".encode() + letter(name).raw
    case = await opened.intake.accept(Received(source="bench", source_id=name, raw=raw, at=now, verdict=Trust.VERIFIED))
    await worked(opened, case)
    return await opened.store.archive.report(case)


async def ours(jira: RunningJira, folder: Path) -> dict[str, list[str]]:
    """Each story's requests."""
    asked: dict[str, list[str]] = {}
    async with house(jira, folder) as opened:
        for name in (WARM, "04-signature-upload"):
            await handled(opened, name)
        for (story, outcome), name in zip(
            (
                ("new, with an owner", Outcome.TICKETED),
                ("answer in a thread", Outcome.COMMENTED),
                ("known already, found", Outcome.COMMENTED),
            ),
            ("12-card-payment", "05-signature-upload", "02-white-map"),
            strict=True,
        ):
            jira.app.journal.entries.clear()
            report = await handled(opened, name)
            asked[story] = requests(jira)

            assert report.case.outcome is outcome
            assert not report.trouble
    return asked


def requests(jira: RunningJira) -> list[str]:
    """What was asked since the journal was last cleared."""
    return [f"{entry.method} {entry.path}" for entry in jira.requests()]


def found(client: JIRA, words: str) -> Any:
    """Is there a ticket already?"""
    return client.search_issues(f'project = HARB AND text ~ "{words}" ORDER BY created DESC', maxResults=10)


def everybody(client: JIRA) -> list[Any]:
    """Who can be given a ticket."""
    return list(client._get_json("user/assignable/search", params={"project": "HARB", "maxResults": 50}))


def new(client: JIRA) -> None:
    """Look for it; ask for the people, then for each one's tickets; create it for the idlest."""
    found(client, "card payment")
    people = everybody(client)
    ids = [person.get("accountId") or person["name"] for person in people]
    idlest = min(ids, key=lambda who: len(client.search_issues(OPEN.format(who), maxResults=50)))
    owner = {"accountId" if "accountId" in people[0] else "name": idlest}
    client.create_issue(project="HARB", summary="Card payment", issuetype={"name": "Bug"}, assignee=owner)


def answer(client: JIRA) -> None:
    """Look for it, read it, comment."""
    client.add_comment(client.issue(found(client, "signature")[0].key), "It is still so.")


def known(client: JIRA) -> None:
    """The same: the straightforward way knows no threads."""
    client.add_comment(client.issue(found(client, "white map")[0].key), "On my tablet, too.")


BY_HAND: Final[dict[str, ByHand]] = {
    "new, with an owner": new,
    "answer in a thread": answer,
    "known already, found": known,
}


def straightforward(jira: RunningJira) -> tuple[dict[str, list[str]], int]:
    """Each story as it is usually written, logging in not counted; and how many people there are."""
    client: Any = JIRA(
        jira.url, max_retries=0, **({"basic_auth": jira.login} if jira.cloud else {"token_auth": jira.token})
    )
    asked = {}
    for story, by_hand in BY_HAND.items():
        jira.app.journal.entries.clear()
        by_hand(client)
        asked[story] = requests(jira)
    people = len(everybody(client))
    client.close()
    return asked, people


async def test_calls(tmp_path: Path, any_jira: RunningJira) -> None:
    """At most three requests, however many the people; an answer whose history is left out hangs on the ticket as a file."""
    asked, (usually, people) = await ours(any_jira, tmp_path), straightforward(any_jira)
    site = f"{'Cloud' if any_jira.cloud else 'Data Center'}, {people} people"
    print(f"\n{site:<36}ours  straightforward  ratio")
    for story, most in MOST.items():
        mine, usual = len(asked[story]), len(usually[story])
        print(f"  {story:<34}{mine:>4}{usual:>17}{mine / usual:>7.2f}   {', '.join(asked[story])}")

        assert mine <= most
        assert mine <= usual


async def test_calls_of_a_mailbox(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The company's mails, tickets remembered beside the search: the median costs four at most, files included."""
    asked: dict[str, list[int]] = defaultdict(list)
    async with house(cloud_jira, tmp_path) as opened:
        await opened.ticket_index_syncs[0].prepare()
        await handled(opened, WARM)
        for mail in mails():
            if not mail.name.startswith(WARM):
                cloud_jira.app.journal.entries.clear()
                report = await handled(opened, mail.name)
                asked[str(report.case.outcome)].append(len(cloud_jira.requests()))
    print("\nrequests for each of the company's mails, Cloud")
    for outcome, counts in sorted(asked.items()):
        print(f"  {outcome:<12}{len(counts):>3} mails, median {median(counts):g}, most {max(counts)}")

    assert max(median(counts) for counts in asked.values()) <= 4
