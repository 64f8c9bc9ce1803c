"""Converts rows to the domain's types and back."""

from collections.abc import Collection
from typing import Any, Final, TypeVar

from sqlalchemy import Row

from triage.domain.approvals import Approval, ApprovalState, Correction
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Messages, Role, RunStatus
from triage.domain.effects import Effect, EffectState
from triage.domain.findings import Disposition
from triage.domain.operations.case_lists import search_text
from triage.domain.reports import CaseLine, RunLine, StepLine, TurnLine

AnyRow = Row[*tuple[Any, ...]]

JIRA_CALLS: Final = "jira.calls"
"""The event with the number of requests (`n`) that a step sent to the tracker."""
ENDED: Final = "case.ended"
"""The event with outcome, ticket and reason of a case; a replayed one ends again."""
RUNNING: Final = "running"
"""The status of a run that has not ended."""
PARKED: Final = (
    *("tool", "arguments", "reason", "state", "ticket", "field", "was", "becomes", "sender", "trust"),
    *("effect", "rework", "expires_at"),
)
"""Columns of a newly parked call."""
T = TypeVar("T")


def names_of(noun: Any) -> Collection[str]:
    """The names of the fields of a dataclass, which its table's columns have, too; `noun` is the class or one of it."""
    names: Collection[str] = noun.__dataclass_fields__
    return names


def noun_of(noun: type[T], row: AnyRow, prefix: str = "", **given: Any) -> T:
    """A noun from a row; `given` are the fields that no column has under their names, and `prefix` begins those of the columns."""
    return noun(**{name: getattr(row, prefix + name) for name in names_of(noun) if name not in given}, **given)


def values_of(noun: Any, *without: str) -> dict[str, Any]:
    """A noun's columns, without these."""
    return {name: getattr(noun, name) for name in names_of(noun) if name not in without}


def case_name(number: int) -> str:
    """The `case-17` of 17."""
    return f"case-{number}"


def case_number(name: str) -> int:
    """The 17 of `case-17`; 0, which no case has, for any other text."""
    digits = name.removeprefix("case-")
    plain = digits != name and digits.isascii() and digits.isdecimal() and len(digits) < 10  # noqa: PLR2004 - int4
    return int(digits) if plain else 0


def run_number(name: str) -> int:
    """The 2 of `case-17/2`."""
    return int(name.rpartition("/")[2])


def columns_of(case: Case) -> dict[str, Any]:
    """A case's columns without its number: the case as JSON, and the values that lists and queries use."""
    message = case.message
    sender, subject = (str(message.sender or ""), message.subject) if message else ("", "")
    return {
        "lane": case.identity.thread_key,
        "outcome": case.outcome,
        "ticket": case.ticket,
        "sender": sender,
        "subject": subject,
        "reason": case.reason,
        "data": case,
        "words": search_text(sender, subject, case.ticket or "", case.reason),
    }


def correction_of(row: AnyRow) -> Correction:
    disposition = Disposition(row.disposition)
    return noun_of(
        Correction, row, case=case_name(row.case_id), disposition=disposition, by=row.made_by, at=row.made_at
    )


def effect_of(row: AnyRow) -> Effect:
    return noun_of(Effect, row, state=EffectState(row.state))


def approval_of(row: AnyRow) -> Approval:
    return noun_of(
        Approval,
        row,
        case=case_name(row.case_id),
        state=ApprovalState(row.state),
        successor=ApprovalState(after) if (after := row._mapping.get("successor")) else None,  # noqa: SLF001 - public
        by=row.decided_by,
        votes=tuple(row.votes.splitlines()),
    )


def approval_row(approval: Approval) -> dict[str, Any]:
    """The columns of a newly parked call."""
    return {name: getattr(approval, name) for name in PARKED}


def line_of(row: AnyRow) -> CaseLine:
    return CaseLine(
        id=case_name(row.case_id),
        received_at=row.received_at,
        sender=row.sender,
        subject=row.subject,
        state=row.state,
        ticket=row.ticket or "",
        reason=row.reason,
        snoozed_until=row.snoozed_until,
    )


def step_of(row: AnyRow) -> StepLine:
    return noun_of(StepLine, row)


def turn_of(row: AnyRow) -> TurnLine:
    """A model's answer, as reports show it."""
    return TurnLine(
        run=run_number(row.run),
        number=row.number,
        model=row.model,
        text=row.answer.text,
        calls=tuple(call.name for call in row.answer.calls),
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        cost_usd=row.cost_usd,
        ms=row.ms,
    )


def run_row(result: AgentResult) -> dict[str, Any]:
    """The columns of a run's result."""
    return values_of(result, "tool_calls") | {"tool_calls_log": result.tool_calls}


def run_of(row: AnyRow) -> RunLine:
    """A run of the tool loop, ended or not."""
    return RunLine(
        run=run_number(row.run),
        profile=row.profile,
        status=row.status,
        system=_text_by_role(row.opening, Role.SYSTEM),
        user=_text_by_role(row.opening, Role.USER),
        result=None if row.status == RUNNING else _result_of(row),
    )


def _result_of(row: AnyRow) -> AgentResult:
    return noun_of(AgentResult, row, status=RunStatus(row.status), tool_calls=row.tool_calls_log)


def _text_by_role(opening: Messages, role: Role) -> str:
    return "\n\n".join(message.text for message in opening if message.role is role)
