"""Why a mail stands on its ticket."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, RunStatus, ToolRun
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Candidate, Cue, Cues
from triage.domain.support.conversations import (
    Resolution,
    Supervision,
    Support,
    SupportAgent,
    SupportEscalation,
    SupportPriority,
)
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.toolsets.outcome import account

CASE = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC))


CREATE, MODIFY = "create_jira_ticket", "modify_jira_ticket"


TICKET = Ticket(key="OPS-3", summary=Untrusted("x"), status="Open", category="new", issue_type="Bug")


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
    ("evidence", "target", "told"),
    [
        (("same thread",), "OPS-3", "OPS-3: commented. Same thread."),
        (("title: export",), "OPS-3", "OPS-3: commented. 60 % likely the same matter: title: export."),
        ((), "OPS-3", "OPS-3: commented. 60 % likely the same matter: words in common."),
        ((), "OPS-4", "OPS-3: commented."),
    ],
)
def test_why_there(evidence: tuple[str, ...], target: str, told: str) -> None:
    """What code has found that ties the mail to the ticket."""
    near = Candidate(ticket=replace(TICKET, key=target), probability=0.6, evidence=evidence)
    case = ran(
        (MODIFY, {"status": "modified", "key": "OPS-3", "done": ["commented"]}),
        case=replace(CASE, retrieval=replace(CASE.retrieval, candidates=(near,))),
    )

    assert account(case, [done("comment")]) == told


def test_why_a_new_one() -> None:
    """The kind by its words, the nearest ticket, and the words about priority, whatever priority was written."""
    cues = Cues(priority=Cue(value="Highest", evidence=("urgent",)), type=Cue(value="bug"))
    near = Candidate(ticket=TICKET, probability=0.31, evidence=("title",))
    made = (CREATE, {"status": "created", "key": "OPS-9"})
    alone = ran(
        made,
        case=replace(
            CASE,
            retrieval=replace(CASE.retrieval, searched=True),
            classification=replace(CASE.classification, cues=cues),
        ),
    )
    close = ran(made, case=replace(CASE, retrieval=replace(CASE.retrieval, searched=True, candidates=(near,))))

    meant = replace(close, retrieval=replace(close.retrieval, candidates=(), alike=TICKET))

    assert account(meant, [done("create", "")]) == "Created OPS-9. Read as a request; OPS-3 means nearly the same."
    assert (
        account(alone, [done("create", "")])
        == "Created OPS-9. Read as a bug; no similar ticket; priority from: urgent."
    )
    assert account(close, [done("create", "")]) == "Created OPS-9. Read as a request; most similar: OPS-3 (31 %)."


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"written": {"type": "Bug"}}, "Created OPS-9 (Bug). Read as a bug; no similar ticket."),
        ({"written": {"type": "Fehler"}}, "Created OPS-9 (Fehler). Read as a bug; no similar ticket."),
        ({"written": {"type": "Task"}}, "Created OPS-9 (Task). No similar ticket."),
        ({"related": "OPS-3"}, "Created OPS-9. Read as a bug; the same matter as OPS-3, by comparison."),
    ],
)
def test_what_a_model_decided_otherwise(written: dict[str, Json], told: str) -> None:
    """The words' type is not told beside another one on the ticket, and the agent's comparison stands in place of likeness."""
    classification = replace(CASE.classification, cues=Cues(type=Cue(value="bug")))
    case = replace(CASE, retrieval=replace(CASE.retrieval, searched=True), classification=classification)
    made = (CREATE, {"status": "created", "key": "OPS-9"} | written)

    assert account(ran(made, case=case), [done("create", "")]) == told


@pytest.mark.parametrize(
    ("resolution", "told"),
    [
        (None, "the customer asks for a person"),
        (Resolution(resolved=False, confidence=0.0, escalation_reason="nothing was found"), "nothing was found"),
    ],
)
def test_why_a_person_has_it(resolution: Resolution | None, told: str) -> None:
    """A ticket of the support hub says why a person got it, not how a report of a problem was read."""
    given = SupportEscalation(summary="s", priority=SupportPriority.P2, triggers=())
    decided = (Supervision(next_agent=SupportAgent.ESCALATION, reasoning="the customer asks for a person"),)
    support = Support(escalation=given, resolution=resolution, decisions=decided)
    made = (CREATE, {"status": "created", "key": "OPS-9"})
    searched = replace(CASE.retrieval, searched=True)

    said = account(ran(made, case=replace(CASE, retrieval=searched, support=support)), [done("create", "OPS-9")])

    assert said == f"Created OPS-9. Given to a person, P2: {told}."
