"""Cases as JSON."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, WithJsonSchema

from triage.domain.findings import Disposition
from triage.domain.reports import CaseLine, Report
from triage.policy.case_lists.query import STATES
from web.api.pages import PageQuery
from web.api.shapes.parts import (
    AnyTicket,
    ApprovalBrief,
    Asked,
    CandidateShape,
    CorrectionShape,
    EffectShape,
    EventShape,
    RunShape,
    StepShape,
    TurnShape,
)


class CaseShape(BaseModel):
    """A case in a list."""

    model_config = ConfigDict(from_attributes=True)

    id: str = Field(examples=["case-17"])
    received_at: datetime
    sender: str = Field(examples=["Ada Byron <ada@example.com>"])
    subject: str = Field(examples=["The export stops at 40 %"])
    state: str = Field(examples=["ticketed"], description="The outcome; before there is one: ready, working, retrying.")
    ticket: str = Field(examples=["HARB-72"], description="Empty: none.")
    reason: str = Field(examples=["a new bug"])


def _known(state: str) -> str:
    if state and state not in STATES:
        raise ValueError(f"there are {', '.join(STATES)}")
    return state


State = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": ["", *STATES]})]
"""The outcome of a case, or how far it is."""


class CaseQuery(PageQuery):
    """Which cases to list."""

    state: State = Field("", description="Only these.")
    ticket: AnyTicket = Field("", description="Only those of this ticket.")
    sender: str = Field("", max_length=200, description="Only those whose sender's name or address contains this.")
    since: AwareDatetime | None = Field(None, description="Only those received since then.")
    until: AwareDatetime | None = Field(None, description="Only those received before then.")


class CaseReport(CaseShape):
    """Everything about one case; the words of mail, prompts and letters stand in `details`, which viewers do not get."""

    source: str = Field(examples=["imap:support"])
    attempts: int
    trouble: str = Field(description="The last error that made it wait.")
    flags: list[str]
    kind: str = Field(examples=["human"])
    trust: str = Field(examples=["verified"])
    disposition: str = Field(examples=["work"])
    route: str = Field(examples=["default"])
    candidates: list[CandidateShape]
    steps: list[StepShape]
    runs: list[RunShape]
    turns: list[TurnShape]
    effects: list[EffectShape]
    approvals: list[ApprovalBrief]
    corrections: list[CorrectionShape]
    events: list[EventShape]
    jira_calls: int
    details: dict[str, Any] | None = Field(
        description="The whole report as `triage show --json` prints it; null for viewers."
    )


class LessonQuery(Asked):
    """How many lessons."""

    limit: int = Field(200, ge=1, le=1000)


class CorrectionRequest(Asked):
    """What becomes of a mail, in a person's words."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"becomes": "work"}]})

    becomes: Disposition | Literal["ignore"] = Field(
        description="The disposition; `ignore`: it is not for us, whatever it is."
    )
    ticket: AnyTicket = Field("", description="Key of the ticket that it belongs to, with `addition`.")


def case_shape(line: CaseLine) -> CaseShape:
    return CaseShape.model_validate(line)


def report_shape(report: Report, *, words: bool) -> CaseReport:
    """Return a report; its `details` only with the right to read words."""
    case, mail = report.case, report.case.message
    found = case.classification.disposition
    return CaseReport(
        id=case.id,
        received_at=case.received_at,
        sender=str(mail.sender) if mail and mail.sender else "",
        subject=mail.subject if mail else "",
        state=report.state,
        ticket=case.ticket or "",
        reason=case.reason,
        source=case.source,
        attempts=report.attempts,
        trouble=report.trouble,
        flags=list(case.flags),
        kind=case.identity.kind.kind.value if case.identity.kind else "",
        trust=case.identity.trust.value,
        disposition=found.disposition.value if found else "",
        route=case.route.rule if case.route else "",
        candidates=[
            CandidateShape(ticket=one.ticket.key, probability=one.probability) for one in case.retrieval.candidates
        ],
        steps=[StepShape.model_validate(one) for one in report.steps],
        runs=[RunShape.model_validate(one) for one in report.runs],
        turns=[TurnShape.model_validate(one) for one in report.turns],
        effects=[EffectShape.model_validate(one) for one in report.effects],
        approvals=[ApprovalBrief.model_validate(one) for one in report.approvals],
        corrections=[CorrectionShape.model_validate(one) for one in report.corrections],
        events=[EventShape(at=at, name=name) for at, name, _ in report.events],
        jira_calls=report.jira_calls,
        details=asdict(report) if words else None,
    )
