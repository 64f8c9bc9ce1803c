"""What each step tells of its work, for the report."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from triage.domain.cases import Case, Outcome
from triage.domain.conversation import AgentResult, RunStatus, ToolRun, Usage
from triage.domain.findings import (
    Candidate,
    Classification,
    Cue,
    Cues,
    Identity,
    Joined,
    PipelineName,
    Point,
    Retrieval,
    Review,
    Route,
    Suggestion,
)
from triage.domain.mail import Kind, KindVerdict, Stub, Trust
from triage.domain.support.conversations import (
    Attempt,
    EscalationTrigger,
    Resolution,
    Supervision,
    Support,
    SupportAgent,
    SupportClass,
    SupportEscalation,
    SupportPriority,
)
from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.pipeline.tables import ARRIVAL, PIPELINES

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))
STEPS = {step.name: step for step in (*ARRIVAL, *PIPELINES[PipelineName.SUPPORT], *PIPELINES[PipelineName.PIPELINE])}
HUMAN = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)
TICKET = Ticket(key="OPS-7", summary=Untrusted("Export"), status="Open", category="new", issue_type="Bug")
ADA = Suggestion(person=Person(id="u1", name=Untrusted("Ada")), score=22.0, points=(Point("similar", 22.0),))


def result(*results: dict[str, Any]) -> AgentResult:
    """A run with these calls."""
    calls = tuple(ToolRun(tool="modify_jira_ticket", arguments={"n": 1}, result=one, iteration=1) for one in results)
    return AgentResult(
        status=RunStatus.COMPLETED, final_message="", tool_calls=calls, iterations=2, usage=Usage(), model="m"
    )


def said(decision: str, **more: Any) -> dict[str, Any]:
    """What a person has said of a proposal."""
    return {"approval": 1, "decision": decision, "by": "ada", "reason": "it would be done", **more}


@pytest.mark.parametrize(
    ("step", "found", "told"),
    [
        ("read", {"stub": Stub.UNREADABLE}, f"a stub: {Stub.UNREADABLE}"),
        ("read", {}, ""),
        (
            "identify",
            {"identity": Identity(kind=HUMAN, trust=Trust.WEAK, trust_because=("spf",))},
            "human, sender weak (spf)",
        ),
        (
            "identify",
            {"ticket": "OPS-7", "identity": Identity(kind=HUMAN, joined=Joined.REFERENCES)},
            "thread of OPS-7 by its references, by somebody unproven; human, sender unverified",
        ),
        (
            "identify",
            {
                "identity": Identity(
                    foreign_thread="OPS-1", replies_to_case="case-2", follow_up="OPS-3", succeeds="OPS-4"
                )
            },
            (
                "refers to the thread of OPS-1, of which the sender is no part; about our mail of case-2; same sender and"
                " subject as OPS-3; its thread's ticket OPS-4 has been done for too long: a new one"
            ),
        ),
        ("throttle", {"flags": ("throttled:storm", "hidden-text")}, "held by throttled:storm"),
        ("throttle", {"flags": ("hidden-text",)}, ""),
        ("route", {"route": Route(rule="vip", because=("to is x",))}, "rule vip: pipeline jira (to is x)"),
        ("classify", {"classification": Classification()}, "general, priority Medium"),
        (
            "classify",
            {"classification": Classification(cues=Cues(fixed=Cue(value="yes")))},
            "general, priority Medium, says fixed",
        ),
        ("retrieve", {}, ""),
        ("retrieve", {"retrieval": Retrieval(searched=True)}, "no candidate"),
        (
            "retrieve",
            {"retrieval": Retrieval(searched=True, candidates=(Candidate.of(TICKET, 0.5, ()),), proposals=(ADA,))},
            "1 candidate, best OPS-7 50 %; for Ada, 22 points",
        ),
        (
            "retrieve",
            {"ticket": "OPS-7", "identity": Identity(joined=Joined.REPLY_ID, participant=True)},
            "thread of OPS-7 by its reply-id",
        ),
        ("supervise", {}, ""),
        (
            "supervise",
            {"support": Support(decisions=(Supervision(next_agent=SupportAgent.RESOLVER, reasoning="it is new"),))},
            "resolver (1.00): it is new",
        ),
        ("classify_support", {}, ""),
        (
            "classify_support",
            {
                "support": Support(
                    classification=SupportClass(issue_type="billing", confidence=0.8, tags=("refund", "opera"))
                )
            },
            "billing (80%), medium, simple; refund, opera",
        ),
        ("resolve", {}, ""),
        (
            "resolve",
            {"support": Support(resolution=Resolution(resolved=False, confidence=0.2, needs_data="the plan"))},
            "needs data: the plan",
        ),
        (
            "resolve",
            {"support": Support(resolution=Resolution(resolved=True, confidence=0.8))},
            "Searched the articles: nothing found, answered from the account, confidence 0.80",
        ),
        (
            "resolve",
            {"support": Support(resolution=Resolution(resolved=False, confidence=0.2, escalation_reason="unsure"))},
            "Searched the articles: nothing found, confidence 0.20; unsure",
        ),
        (
            "look_up",
            {"support": Support(attempts=(Attempt(agent=SupportAgent.TOOL_AGENT, outcome="user_lookup: done"),))},
            "user_lookup: done",
        ),
        ("answer", {}, ""),
        ("answer", {"result": result({"status": "queued"})}, "modify_jira_ticket: queued"),
        ("answer", {"result": result({"waiting": []})}, "modify_jira_ticket: waits for a person"),
        ("hand_over", {}, ""),
        (
            "hand_over",
            {
                "support": Support(
                    escalation=SupportEscalation(
                        summary="",
                        priority=SupportPriority.P2,
                        triggers=(EscalationTrigger.USER_REQUEST,),
                        context={"respond_by": "2026-11-20T12:00:00+00:00", "told": "no letter: nobody"},
                    )
                )
            },
            "P2: the customer asks for a person; answer by 2026-11-20 12:00 UTC; no letter: nobody",
        ),
        ("act", {"result": result({})}, "m: completed, rounds: 2, tool calls: 1"),
        ("reopen", {"result": result({})}, "a person is asked: {'n': 1}"),
        ("reopen", {}, ""),
        ("settle", {"result": result(said("accepted"))}, "ada accepted this: it would be done"),
        (
            "settle",
            {"result": result(said("accepted", error="it is gone"))},
            "ada accepted this: it would be done; but it is gone",
        ),
        ("settle", {"result": result(said("rejected"))}, "ada rejected this: it would be done."),
        ("attach", {"attached": ("attached a.log", "Ada watches")}, "attached a.log; Ada watches"),
        ("review", {"review": Review(unattended=True)}, "may stand"),
        ("review", {"review": Review(unattended=False, reasons=("a", "b"))}, "a; b"),
        ("dispatch", {"outcome": Outcome.IGNORED}, "ignored"),
        ("dispatch", {"outcome": Outcome.TICKETED, "ticket": "OPS-7"}, "ticketed OPS-7"),
    ],
)
def test_a_step_tells_what_it_has_found(step: str, found: dict[str, Any], told: str) -> None:
    """In a few words, and nothing where there is nothing to tell."""
    assert STEPS[step].describe(CASE, replace(CASE, **found)) == told


def test_only_what_is_new_is_told() -> None:
    """A thread that was known before the search, and a decision that was carried out before, are told once."""
    joined = replace(CASE, ticket="OPS-7", identity=Identity(joined=Joined.REFERENCES))
    before = replace(CASE, result=result(said("rejected")))
    after = replace(CASE, result=result(said("rejected"), said("accepted")))

    assert STEPS["retrieve"].describe(joined, joined) == ""
    assert STEPS["settle"].describe(before, after) == "ada accepted this: it would be done"
