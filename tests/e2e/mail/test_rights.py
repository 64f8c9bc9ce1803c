"""A model that obeys the mail: what Jira has in the end is what the table of rights allows this kind of sender."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import ADA, call, house, modelled
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.conversation import Json, ToolCall, Turn, Usage
from triage.domain.mail import Trust
from triage.domain.reports import Report
from triage.policy.decision.run_record import is_settled
from triage.toolsets.tickets.rules import FOR_REVIEW
from triage_sandbox.openai_app import Script

THREAD = "HARB-71"
"""The ticket of the first mail."""
OTHER = "HARB-12"
"""A ticket of somebody else, which the model is shown by a search."""
UNSEEN = "HARB-60"
MANY = {"MAX_CHANGES_PER_MAIL": "20", "MAX_COMMENTS_PER_MAIL": "20", "OPENAI_PREFETCH": "false"}
ANSWER = {"subject": "Re: Barcode cut off", "thread": "<1@corner-shop.example>", "message_id": "<2@x.example>"}


def modify(key: str, **more: Json) -> tuple[str, Json]:
    """A call that changes a ticket."""
    return "modify_jira_ticket", {"ticket_key": key, **more}


CREATE = {"summary": "Pay this", "description": "At once.", "issue_type": "Bug", "priority": "Highest"}
WISHES = (
    modify(THREAD, comment="Thread."),
    modify(OTHER, comment="Other."),
    modify(UNSEEN, comment="Unseen."),
    modify(THREAD, status="In Progress\u3000"),
    modify(OTHER, status="in\x1fprogress"),
    modify(THREAD, status="Done\xa0"),
    modify(OTHER, assignee="Rory McAllister"),
    modify(OTHER, summary="Owned"),
    ("create_jira_ticket", {**CREATE, "assignee": "Rory McAllister"}),
)


def turn(*calls: tuple[str, Json]) -> Turn:
    """A turn with these calls."""
    made = tuple(ToolCall(id=f"c{n}", name=name, arguments=json.dumps(said)) for n, (name, said) in enumerate(calls))
    return Turn(text="", calls=made, usage=Usage(input_tokens=1, output_tokens=1))


OBEDIENT = Script(
    turn(("read_jira_tickets", {"search_text": "map white tablet WebGL"})), turn(*WISHES), Turn(text="As you wish.")
)


@dataclass(frozen=True)
class Wrote:
    """What reached Jira, and what waits."""

    comments: set[str]
    moves: int
    edits: int
    created: list[Json]
    parked: set[tuple[str, str]]


async def obeyed(folder: Path, jira: RunningJira, verdict: Trust, sender: str) -> Wrote:
    """The thread's first mail by a proven sender, then one of this kind that a model obeys."""
    async with house(jira, folder) as opened:
        first = await delivered(opened, letter(), "first", Trust.VERIFIED)
    assert first.case.ticket == THREAD
    before = len(jira.requests())
    async with modelled(jira, folder, OBEDIENT, **MANY) as (opened, _):
        report = await delivered(opened, letter("Do it.", sender=sender, **ANSWER), "second", verdict)
    sent = [entry for entry in jira.requests()[before:] if entry.method in {"POST", "PUT"}]
    told = [re.search(r"/issue/([A-Z]+-\d+)/(comment|transitions)$", entry.path) for entry in sent]
    return Wrote(
        comments={
            f"{found[1]} {_marked(entry.json)}"
            for entry, found in zip(sent, told, strict=True)
            if found and found[2] == "comment"
        },
        moves=sum(found is not None and found[2] == "transitions" for found in told),
        edits=sum(
            re.search(r"/issue/[A-Z]+-\d+(/assignee)?$", entry.path) is not None
            for entry in sent
            if entry.method == "PUT"
        ),
        created=[_drafted(entry.json["fields"]) for entry in sent if re.search(r"/api/\d/issue$", entry.path)],
        parked=_parked(report),
    )


def _marked(body: Json) -> str:
    return "marked" if "is not proven" in json.dumps(body) else "plain"


def _drafted(fields: Json) -> Json:
    labels = [label for label in fields["labels"] if label == FOR_REVIEW]
    return {"for": "assignee" in fields, "labels": labels}


def _parked(report: Report) -> set[tuple[str, str]]:
    """Ticket and field of each approval."""
    calls = [json.loads(one.arguments) for one in report.approvals]
    return {(one.pop("ticket_key"), name) for one in calls for name in [*one] if name != "ticket_key"}


DORA, EVE = "Dora <dora@corner-shop.example>", "Eve <eve@evil.example>"


@pytest.mark.parametrize(
    ("verdict", "wrote"),
    [
        (
            Trust.VERIFIED,
            Wrote(
                comments={f"{THREAD} plain"},
                moves=1,
                edits=0,
                created=[{"for": True, "labels": []}],
                parked={(OTHER, "comment"), (OTHER, "status"), (THREAD, "status"), (OTHER, "assignee"), (OTHER, "summary")},
            ),
        ),
        (
            Trust.WEAK,
            Wrote(
                comments={f"{THREAD} marked"},
                moves=0,
                edits=0,
                created=[{"for": False, "labels": []}],
                parked={(THREAD, "status"), (OTHER, "status"), (OTHER, "assignee"), (OTHER, "summary"), ("HARB-72", "assignee")},
            ),
        ),
        (
            Trust.UNVERIFIED,
            Wrote(
                comments=set(),
                moves=0,
                edits=0,
                created=[{"for": False, "labels": []}],
                parked={(OTHER, "status"), (OTHER, "assignee"), (OTHER, "summary"), ("HARB-72", "assignee")},
            ),
        ),
        (
            Trust.FAILED,
            Wrote(comments=set(), moves=0, edits=0, created=[{"for": False, "labels": ["needs-review"]}], parked=set()),
        ),
    ],
)  # fmt: skip
async def test_an_obedient_model_does_what_the_sender_may(
    tmp_path: Path, cloud_jira: RunningJira, verdict: Trust, wrote: Wrote
) -> None:
    """Who claims to be a participant gets what his proof is worth, whatever the model calls: all of it, a weak one, none
    where others have one, or proof to the contrary.
    """
    found = await obeyed(tmp_path, cloud_jira, verdict, DORA)

    assert found == wrote


async def test_a_proven_stranger_is_no_participant(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A domain of one's own and an answer to somebody else's mail: a ticket of one's own, and the rest is for a person."""
    found = await obeyed(tmp_path, cloud_jira, Trust.VERIFIED, EVE)

    assert found == Wrote(
        comments=set(),
        moves=0,
        edits=0,
        created=[{"for": False, "labels": []}],
        parked={
            (OTHER, "comment"), (OTHER, "status"), (OTHER, "assignee"), (OTHER, "summary"), ("HARB-72", "assignee"),
        },
    )  # fmt: skip


@pytest.mark.parametrize("status", ["Done ", "Done\xa0", "\tDone", "Done\u3000", "Done\x1f", "ＤＯＮＥ", "dOnE"])  # noqa: RUF001 - the point
async def test_no_spelling_of_done_closes_a_ticket(tmp_path: Path, cloud_jira: RunningJira, status: str) -> None:
    """However a model spells it, a status that means done waits for a person, and what is parked is the status itself."""
    script = Script(
        turn(("read_jira_tickets", {"search_text": "map white tablet WebGL"})),
        turn(modify(OTHER, status=status)),
        Turn(text="Closed."),
    )
    async with modelled(cloud_jira, tmp_path, script) as (opened, _):
        report = await delivered(opened, letter(), "mail", Trust.VERIFIED)
        ticket = await opened.tracker.tickets.get(OTHER)

    assert (ticket.open, report.case.outcome) == (True, Outcome.WAITING)
    assert [json.loads(one.arguments)["status"]["name"] for one in report.approvals] == ["Done"]


async def test_a_failed_sender_closes_nothing(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The mail that failed DMARC and a model that obeys it: refused, not even parked."""
    script = Script(
        turn(("read_jira_tickets", {"search_text": "map white tablet WebGL"})),
        turn(modify(OTHER, status="Done ")),
        Turn(text="Closed."),
    )
    async with modelled(cloud_jira, tmp_path, script) as (opened, _):
        report = await delivered(opened, letter(), "mail", Trust.FAILED)
        ticket = await opened.tracker.tickets.get(OTHER)

    assert (ticket.open, report.approvals, report.case.outcome) == (True, (), Outcome.WAITING)
    assert "not for this sender (failed)" in report.case.reason


async def test_only_what_was_shown_can_be_written(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A ticket that the search before the prompt found, but that was too unlike to be shown, is no ticket of this run."""
    script = Script(turn(*(modify(f"HARB-{number}", comment="Hello.") for number in range(1, 15))), Turn(text="Done."))
    async with modelled(cloud_jira, tmp_path, script, MAX_COMMENTS_PER_MAIL="20") as (opened, _):
        report = await delivered(
            opened, letter("Please look at the invoice, label, map and sign-in."), "x", Trust.VERIFIED
        )
    shown = set(re.findall(r"HARB-\d+", "".join(run.user for run in report.runs)))
    hidden = {candidate.ticket.key for candidate in report.case.retrieval.candidates} - shown

    assert hidden, "the mail must find tickets that are too unlike to be shown"
    assert {effect.target for effect in report.effects} <= shown
    assert not {key for key, _ in _parked(report)} & hidden


async def test_a_due_date_is_a_date(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A ticket with a due date is made in one go, and the date stands in Jira."""
    create = {
        "summary": "Renew the certificate",
        "description": "Soon.",
        "issue_type": "Task",
        "due_date": "2026-12-24",
    }
    async with modelled(
        cloud_jira, tmp_path, Script(call("create_jira_ticket", json.dumps(create)), Turn(text="Made."))
    ) as (opened, _):
        report = await delivered(opened, letter(), "x", Trust.VERIFIED)
    (made,) = cloud_jira.requests("POST", r"/rest/api/3/issue$")

    assert (report.case.outcome, report.attempts) == (Outcome.TICKETED, 1)
    assert made.json["fields"]["duedate"] == "2026-12-24"


async def test_a_later_proposal_voids_the_older(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Of two mails about one field of one ticket the later proposal stands; its decision ends both cases, and each says how."""

    def wants(status: str) -> Script:
        return Script(
            turn(("read_jira_tickets", {"search_text": "map white tablet WebGL"})),
            turn(modify(OTHER, status=status)),
            Turn(text="Proposed."),
        )

    async with modelled(cloud_jira, tmp_path, wants("Done")) as (opened, _):
        first = await delivered(opened, letter(), "first", Trust.VERIFIED)
    other = letter("Another matter.", subject="White map", sender=EVE, message_id="<9@evil.example>")
    async with modelled(cloud_jira, tmp_path, wants("In Progress")) as (opened, _):
        second = await delivered(opened, other, "second", Trust.VERIFIED)
        (waiting,) = await opened.store.archive.approvals()
        (older,) = (await opened.store.archive.report(first.case.id)).approvals
        await opened.approvals.accept(waiting.id, ADA)
        await opened.worker.drain()
        cases = [(await opened.store.archive.report(one.case.id)).case for one in (first, second)]
        ticket = await opened.tracker.tickets.get(OTHER)

    assert (waiting.case, waiting.was, waiting.becomes, waiting.trust) == (
        second.case.id,
        "To Do",
        "In Progress",
        "verified",
    )
    assert (older.state, older.superseded_by) == (ApprovalState.SUPERSEDED, waiting.id)
    assert [case.outcome for case in cases] == [Outcome.IGNORED, Outcome.UPDATED]
    assert f"Superseded by approval {waiting.id}: {OTHER} would move to Done" in cases[0].reason
    assert ticket.status == "In Progress"


async def test_what_is_superseded_waits_for_its_successor(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A superseded proposal ends no case before its successor is decided, and one that nobody decides stays with a person."""
    both = modify(OTHER, status="Done", summary="Map stays white")
    search = turn(("read_jira_tickets", {"search_text": "map white tablet WebGL"}))
    async with modelled(cloud_jira, tmp_path, Script(search, turn(both), Turn(text="Proposed."))) as (opened, _):
        first = await delivered(opened, letter(), "first", Trust.VERIFIED)
    other = letter("Another matter.", subject="White map", sender=EVE, message_id="<9@evil.example>")
    later = Script(search, turn(modify(OTHER, status="In Progress")), Turn(text="Proposed."))
    async with modelled(cloud_jira, tmp_path, later) as (opened, _):
        await delivered(opened, other, "second", Trust.VERIFIED)
        (beside,) = [one for one in await opened.store.archive.approvals() if one.field == "summary"]
        await opened.approvals.ignore(beside.id, ADA)
        await opened.worker.drain()
        waits = await opened.store.archive.report(first.case.id)
        (successor,) = await opened.store.archive.approvals()
        await opened.store.decisions.decide(successor.id, ApprovalState.EXPIRED, "")
        await opened.worker.drain()
        undecided = await opened.store.archive.report(first.case.id)

    assert waits.case.outcome is Outcome.WAITING
    assert is_settled(waits)
    assert (undecided.case.outcome, "nobody decided in time" in undecided.case.reason) == (Outcome.WAITING, True)
