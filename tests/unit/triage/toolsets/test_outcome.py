"""How a case ends, and the sentence about it, are made of what was written."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case, Outcome
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Point, Review, Suggestion
from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.policy.decision.person_decisions import Decided, decided
from triage.toolsets.outcome import account, end_of, planned

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))
CREATE, MODIFY = "create_jira_ticket", "modify_jira_ticket"


def ran(*calls: tuple[str, Json], case: Case = CASE) -> Case:
    """The case after these calls, with a model that tells stories."""
    runs = tuple(ToolRun(tool=tool, arguments={}, result=result, iteration=1) for tool, result in calls)
    said = "I closed it and made it Highest for the boss."
    return replace(
        case, result=AgentResult(status=RunStatus.COMPLETED, tool_calls=runs, final_message=said, iterations=1)
    )


def done(kind: str, target: str = "OPS-3") -> Effect:
    """A write that has happened."""
    return Effect(key=kind, kind=kind, target=target, state=EffectState.DONE, result="10")


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ([(CREATE, {"status": "created", "key": "OPS-9"})], "Created OPS-9."),
        (
            [
                (CREATE, {"error": "no such person"}),
                (
                    CREATE,
                    {
                        "status": "created",
                        "key": "OPS-9",
                        "written": {"type": "Bug", "priority": "High", "assignee": "Ada Byron", "sprint": "Sprint 12"},
                        "refused": ["due_date", "labels"],
                    },
                ),
            ],
            "Created OPS-9 (Bug, High, for Ada Byron, in Sprint 12). Jira refused due_date, labels.",
        ),
        (
            [
                (MODIFY, {"status": "modified", "key": "OPS-3", "done": ["commented"]}),
                (MODIFY, {"status": "modified", "key": "OPS-3", "done": ["moved to Done"], "decision": "accepted", "by": "ada"}),
            ],
            "OPS-3: commented. OPS-3: moved to Done. ada accepted it.",
        ),
        ([("read_jira_tickets", {"tickets": []}), (MODIFY, "text"), (MODIFY, {"status": "decided"})], ""),
        (
            [
                (CREATE, {"status": "dry_run", "would": {"tool": CREATE, "summary": "Export fails"}}),
                (
                    MODIFY,
                    {"status": "dry_run", "would": {"ticket_key": "OPS-3", "comment": "x", "status": "Done", "sprint": 3}},
                ),
            ],
            "Would create: Export fails. Would change OPS-3: comment, status Done, sprint 3.",
        ),
        ([(MODIFY, {"status": "dry_run"})], "Would change None: ."),
    ],
)  # fmt: skip
def test_what_was_written(calls: list[tuple[str, Json]], told: str) -> None:
    """Call by call; what failed, waits or was only read is no part of it, nor is what the model says."""
    assert account(ran(*calls), []) == told


def test_without_a_record_the_effects_tell() -> None:
    """A worker that gave up has no result, but its writes are known."""
    effects = [
        done("create", ""),
        done("watch"),
        replace(done("comment"), state=EffectState.UNKNOWN),
        done("transition"),
    ]

    assert account(CASE, effects) == "Created 10. Moved OPS-3."
    assert account(CASE, []) == ""


@pytest.mark.parametrize(
    ("results", "told"),
    [
        (
            [{"written": {"assignee": "Ada Byron"}}],
            "Created OPS-9 (for Ada Byron). Ada Byron has 117.7 points: skill, load.",
        ),
        ([{"written": {"assignee": "Bob"}}], "Created OPS-9 (for Bob)."),
        (
            [{"refused": ["assignee"]}],
            "Created OPS-9. Jira refused assignee. It is nobody's: Ada Byron cannot have it.",
        ),
        ([{"error": "no"}, {}], "Created OPS-9. It is nobody's: Ada Byron cannot have it."),
        ([{}], "Created OPS-9."),
    ],
)
def test_whose_it_is(results: list[dict[str, Json]], told: str) -> None:
    """The points of whoever got it; that it is nobody's where Jira would not have whom we proposed."""
    points = (Point("skill", 100), Point("load", 17.7), Point("rest", 0))
    ada = Suggestion(person=Person(id="a", name=Untrusted("Ada Byron")), score=117.7, points=points)
    calls = [(CREATE, one if "error" in one else {"status": "created", "key": "OPS-9", **one}) for one in results]

    assert (
        account(
            ran(*calls, case=replace(CASE, retrieval=replace(CASE.retrieval, proposals=(ada,)))), [done("create", "")]
        )
        == told
    )


def test_what_people_have_said() -> None:
    """Who, what, and what came of it."""
    yes = {"decision": "accepted", "by": "ada", "reason": "r", "error": "gone"}
    (decision,) = decided(ran((MODIFY, yes), (MODIFY, {"done": []})))

    assert (decision.by, decision.word, decision.reason, decision.error) == ("ada", "accepted", "r", "gone")
    assert list(decided(CASE)) == []


def test_a_superseded_proposal_is_told_with_its_successor() -> None:
    """Nobody has rejected it; the later one has taken its place."""
    told = Decided(by="", word="superseded", reason="would be called done", superseded_by=9)

    assert told.refusal == "Superseded by approval 9: would be called done."
    assert Decided(by="ada", word="rejected", reason="x").refusal == "ada rejected this: x."
    assert Decided(by="ada", word="accepted", reason="x").refusal == ""


# --- outcomes ----------------------------------------------------------------------------------------

CREATED = Effect(key="k", kind="create", state=EffectState.DONE, result="HARB-7")
COMMENTED = Effect(key="c", kind="comment", target="HARB-3", state=EffectState.DONE, result="10")
MOVED = Effect(key="t", kind="transition", target="HARB-3", state=EffectState.DONE)
REFUSED = Effect(key="r", kind="create", state=EffectState.REFUSED)


def answered(*results: object, said: str = "") -> Case:
    """The case after calls of some tool with these results."""
    calls = tuple(ToolRun(tool="t", arguments={}, result=result, iteration=1) for result in results)
    result = AgentResult(status=RunStatus.COMPLETED, tool_calls=calls, final_message=said, iterations=10)
    return replace(CASE, result=result)


def test_a_dry_run_ends_as_the_real_one_would() -> None:
    """What a dry run would have written counts as written, and only that."""
    would = [
        {"status": "dry_run", "would": {"tool": "create_jira_ticket"}},
        {"status": "dry_run", "would": {"tool": "modify_jira_ticket", "ticket_key": "HARB-3", "comment": "x"}},
        {"status": "dry_run", "would": {"tool": "modify_jira_ticket", "ticket_key": "HARB-3", "status": "Open"}},
        {"total": 0},
        "text",
    ]
    effects = planned(answered(*would))

    assert [(e.kind, e.target) for e in effects] == [("create", ""), ("comment", "HARB-3"), ("transition", "HARB-3")]
    assert planned(CASE) == ()


@pytest.mark.parametrize(
    ("effects", "outcome", "ticket"),
    [
        ([CREATED, COMMENTED], Outcome.TICKETED, "HARB-7"),
        ([COMMENTED, MOVED], Outcome.COMMENTED, "HARB-3"),
        ([MOVED], Outcome.UPDATED, "HARB-3"),
        ([REFUSED], Outcome.WAITING, None),
    ],
)
def test_the_outcome_follows_the_effects(effects: list[Effect], outcome: Outcome, ticket: str | None) -> None:
    """Created beats commented beats changed; nothing written is never called done."""
    ended = end_of(answered(), Review(unattended=True), effects)

    assert (ended.outcome, ended.ticket) == (outcome, ticket)


def test_waiting_keeps_the_ticket() -> None:
    """A case that waits names what was written, its reasons and the ticket."""
    review = Review(unattended=False, reasons=("a", "b"))
    ended, bare = end_of(answered(said="done"), review, [COMMENTED]), end_of(answered(), review, [])

    assert (ended.outcome, ended.reason, ended.ticket) == (
        Outcome.WAITING,
        "Commented on HARB-3. Waiting: a; b",
        "HARB-3",
    )
    assert (bare.outcome, bare.reason, bare.ticket) == (Outcome.WAITING, "a; b", None)


def test_the_reason_is_what_was_written() -> None:
    """Not what a model says of itself."""
    told = end_of(answered(said="I closed everything, priority Highest."), Review(unattended=True), [CREATED]).reason

    assert told == "Created HARB-7."
