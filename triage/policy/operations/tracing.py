"""Makes spans of what the store has journalled about one case: no step, and no model, is measured a second time.

Ids are made of the case, so that the mail's arrival and its work, in whichever processes, are one trace.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from triage.domain.operations.audit import CallAudit
from triage.domain.operations.traces import Span, SpanKind, Worked
from triage.domain.reports import Report, StepLine
from triage.policy.operations.metrics import channel_of

PROVIDER: Final = "openai"
"""Whose interface a model without a provider in its name speaks."""


def spans_of(report: Report, calls: Sequence[CallAudit], worked: Worked, secret: bytes) -> tuple[Span, ...]:
    """Return the spans of this work, and with the first step that of the mail, which began with its arrival."""
    ids = _Ids(worked.case, secret)
    at_work = ids.span(f"work {worked.begin.isoformat()}")
    steps = [step for step in report.steps if worked.begin <= step.at <= worked.end]
    begun = any(step.name == "read" for step in steps)
    found = [_mail(report, worked, ids)] if begun else []
    found.append(_work(report, worked, ids, at_work))
    inner = [_step(step, ids, at_work) for step in steps]
    asked = [call for call in calls if worked.begin <= call.at <= worked.end]
    return (*found, *inner, *_models(asked, inner, ids, at_work))


@dataclass(frozen=True, slots=True)
class _Ids:
    """Ids that nobody can guess and every process makes alike."""

    case: str
    secret: bytes

    @property
    def trace(self) -> str:
        return self._digest("trace", 16)

    def span(self, name: str) -> str:
        return self._digest(f"span {name}", 8)

    def _digest(self, name: str, size: int) -> str:
        return hashlib.blake2b(f"{self.case} {name}".encode(), key=self.secret[:64], digest_size=size).hexdigest()


def _mail(report: Report, worked: Worked, ids: _Ids) -> Span:
    case = report.case
    return Span(
        trace=ids.trace,
        id=ids.span("mail"),
        name="mail",
        kind=SpanKind.CONSUMER,
        begin=min(case.received_at, worked.begin),
        end=worked.end,
        attributes={"triage.case": case.id, "triage.source": channel_of(case.source)},
    )


def _work(report: Report, worked: Worked, ids: _Ids, own: str) -> Span:
    case = report.case
    facts: dict[str, str | int | float] = {
        "triage.case": case.id,
        "triage.attempt": worked.attempt,
        "triage.outcome": str(case.outcome or ""),
        "triage.ticket": case.ticket or "",
        "triage.route": case.route.rule if case.route else "",
        "triage.profile": case.route.profile if case.route else "",
    }
    return Span(
        trace=ids.trace,
        id=own,
        parent=ids.span("mail"),
        name="work",
        begin=worked.begin,
        end=worked.end,
        attributes={name: value for name, value in facts.items() if value != ""},
        error=worked.trouble,
    )


def _step(step: StepLine, ids: _Ids, parent: str) -> Span:
    return Span(
        trace=ids.trace,
        id=ids.span(f"step {step.name} {step.at.isoformat()}"),
        parent=parent,
        name=f"step {step.name}",
        begin=step.at - timedelta(milliseconds=step.ms),
        end=step.at,
        attributes={"triage.step": step.name},
    )


def _models(calls: Sequence[CallAudit], steps: Sequence[Span], ids: _Ids, parent: str) -> Iterator[Span]:
    """Answers by the semantic conventions for generative AI, each below the step in whose time it lies."""
    for call in calls:
        provider, _, name = call.model.rpartition("/")
        facts: dict[str, str | int | float] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider or PROVIDER,
            "gen_ai.request.model": name,
            "gen_ai.response.model": name,
            "gen_ai.usage.input_tokens": call.input_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "gen_ai.conversation.id": call.run,
        }
        cost = {} if call.cost_usd is None else {"triage.cost_usd": call.cost_usd}
        yield Span(
            trace=ids.trace,
            id=ids.span(f"chat {call.run} {call.number}"),
            parent=next((step.id for step in steps if step.begin <= call.at <= step.end), parent),
            name=f"chat {name}",
            kind=SpanKind.CLIENT,
            begin=call.at - timedelta(milliseconds=call.ms),
            end=call.at,
            attributes={**facts, **cost},
        )
