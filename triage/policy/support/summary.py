"""The summary of an escalation for the person who takes over, in one fixed form, from what was journalled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.config.support.confidence import RESOLVE_FROM
from triage.domain.conversation import Json
from triage.domain.support.conversations import EscalationTrigger, Resolution, Support, SupportClass
from triage.domain.untrusted import NOTHING, Untrusted
from triage.policy.support.resolving.lookups import read_of
from triage.policy.support.resolving.wording import render_data, render_sentences
from triage.policy.ticket.markdown import literal, quoted

UNKNOWN: Final = "not known"
MOST_SAID: Final = 4_000
"""Characters of a later mail that its comment quotes."""
RECOMMENDED: Final[Mapping[EscalationTrigger, str]] = {
    EscalationTrigger.USER_REQUEST: "Write or call the customer personally.",
    EscalationTrigger.POLICY_EXCEPTION: "Decide about the exception, do what is granted, and answer the customer.",
    EscalationTrigger.TECHNICAL: "Reproduce the problem with the customer's details, then correct it or name a workaround.",
    EscalationTrigger.SEVERAL_FAILURES: "Read the whole conversation before answering: earlier answers did not settle it.",
    EscalationTrigger.NOTHING_FOUND: "Answer from your own knowledge, and write the article that was missing.",
    EscalationTrigger.LOW_CONFIDENCE: "Correct the answer below and send it, or improve its article.",
}
"""Trigger → what the person does; the first trigger of a case in this order gives the recommendation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryFacts:
    """What code knows about an escalated conversation."""

    issue: str
    """What fails or is asked, in the mail's own words."""
    message: Untrusted = NOTHING
    """The whole of it."""
    name: str = ""
    email: str = ""
    tools: tuple[str, ...] = ()
    """Names of the tools that have run in the conversation, oldest first."""
    before: tuple[Mapping[str, Json], ...] = ()
    """What tools brought about earlier mails of the conversation, by tool, latest mail first."""


def _user(record: Mapping[str, str], facts: SummaryFacts) -> list[str]:
    return [
        f"- Name: {_shown(record.get('full_name') or facts.name)}",
        f"- Email: {_shown(record.get('email') or facts.email)}",
        f"- Subscription: {_subscription(record)}",
        f"- User ID: {_shown(record.get('user_id', ''))}",
    ]


def summary_of(support: Support, facts: SummaryFacts, reasons: Sequence[str], recommendation: str) -> str:
    """Return the summary as Markdown; words of the customer and of tools stand in it without markup.

    Of a later mail, whose conversation a person has, it tells what is new.
    """
    if support.with_person:
        sure = _unsent(support) if support.resolution and _sureness(support.resolution) >= RESOLVE_FROM else ()
        return "\n\n".join((f"NEW MESSAGE:\n\n{quoted(facts.message, MOST_SAID)}", *_looked_up(support), *sure))
    now = read_of(support.tool_results or {})
    before = _read_before(facts.before, now)
    record = found_in(before) | found_in(now)
    reason = "; ".join(reasons)
    attempts = [one.outcome.removesuffix(f"; {reason}") for one in (*support.earlier, *support.attempts)]
    tried = [f"{number}. {_shown(one)}" for number, one in enumerate(attempts, 1)]
    parts = (
        f"ISSUE: {_shown(facts.issue)}",
        _section("USER INFORMATION", _user(record, facts)),
        *_looked_up(support),
        *([_section("LOOKED UP FOR EARLIER MAILS", [data])] if (data := render_data(before)) else []),
        _section("ATTEMPTED RESOLUTION", tried or ["Nothing was tried."]),
        _section("ESCALATION REASON", [_shown(reason)]),
        _section("RECOMMENDATION", [recommendation]),
        *_unsent(support),
        _section("CONTEXT", list(_context(support, facts.tools))),
    )
    return "\n\n".join(parts)


def _sureness(found: Resolution) -> float:
    return found.answer.confidence if found.answer else 0.0


WAITS: Final = "Decide about what waits: `triage approvals` lists it, and the customer hears of the decision."


def recommendation_of(triggers: Sequence[EscalationTrigger], *, waits: bool = False) -> str:
    """Return what the person should do first; `waits` says that a tool's call waits for a decision."""
    if waits:
        return WAITS
    return next((advice for trigger, advice in RECOMMENDED.items() if trigger in triggers), RECOMMENDED[_LOW])


_LOW: Final = EscalationTrigger.LOW_CONFIDENCE
_ABOUT_PEOPLE: Final = ("user_id", "full_name", "email", "subscription")


def found_in(results: Mapping[str, Json]) -> dict[str, Json]:
    """Return what the tools said about the customer, by the names that such tools use."""
    found: dict[str, Json] = {}
    for result in results.values():
        if isinstance(result, Mapping):
            fields = {name: result[name] for name in _ABOUT_PEOPLE if result.get(name)}
            found = {**fields, **found}
    return found


def _read_before(before: Sequence[Mapping[str, Json]], now: Mapping[str, Json]) -> dict[str, Json]:
    """Return the latest result of each tool for earlier mails, without errors and without what was read again just so."""
    found: dict[str, Json] = {}
    for results in before:
        found = read_of(results) | found
    return {name: one for name, one in found.items() if one not in now.values()}


def _subscription(record: Mapping[str, Json]) -> str:
    known = record.get("subscription")
    if not isinstance(known, Mapping):
        return UNKNOWN
    return f"{_shown(known.get('tier', ''))} ({_shown(known.get('status', ''))})"


def _looked_up(support: Support) -> Iterator[str]:
    """Yield what tools have read of the customer's data, for whoever decides about it."""
    if data := render_data(read_of(support.tool_results or {})):
        yield _section("LOOKED UP", [data])


def _unsent(support: Support) -> Iterator[str]:
    """Yield the answer for the person to go on from, and where it stands: what was not sent, or what answers the other questions."""
    answer = support.resolution.answer if support.resolution else None
    if answer and answer.sentences:
        title = "ANSWER TO THE REST" if support.resolution and support.resolution.partly else "ANSWER NOT SENT"
        yield _section(title, [render_sentences(answer), "", f"From: {_shown(', '.join(answer.articles))}"])


def _context(support: Support, tools: Sequence[str]) -> tuple[str, ...]:
    found = support.resolution
    answer = found.answer if found else None
    searched = dict.fromkeys(hit.passage.article for hit in answer.hits) if answer else {}
    return (
        f"- Classification: {_class(support.classification)}",
        f"- Confidence: {found.confidence:.2f}" if found else "- Confidence: nothing was answered",
        f"- Articles searched: {_shown(', '.join(searched)) if searched else 'none'}",
        f"- Tools used: {_shown(', '.join(dict.fromkeys(tools))) if tools else 'none'}",
    )


def _class(found: SupportClass | None) -> str:
    return f"{_shown(found.issue_type)}, {found.urgency}" if found else UNKNOWN


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join((f"{title}:", "", *lines))


def _shown(text: Json) -> str:
    return literal(str(text)) if text else UNKNOWN
