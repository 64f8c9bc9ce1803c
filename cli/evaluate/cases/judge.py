"""Compares what became of mails with what should have; the demo judges its mailbox by the same rules."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from cli.evaluate.cases.expected import NONE, Expected, MailCase
from triage.domain.reports import Report
from triage.services.written_tickets import TicketFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Got:
    """What became of a mail."""

    case: str
    action: str
    """The outcome, or the state of a case that has none."""
    ticket: str
    disposition: str
    why: str
    facts: TicketFacts | None = None
    """Of the ticket that the case created."""
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = None
    jira_calls: int = 0

    @classmethod
    def of(cls, report: Report, facts: TicketFacts | None) -> "Got":
        """Read it from a case's report."""
        case, found = report.case, report.case.classification.disposition
        costs = [turn.cost_usd for turn in report.turns if turn.cost_usd is not None]
        return cls(
            case=case.id,
            action=str(case.outcome or report.state),
            ticket=case.ticket or "",
            disposition=str(found.disposition) if found else "",
            why=case.reason or report.trouble,
            facts=facts,
            model_calls=len(report.turns),
            input_tokens=sum(turn.input_tokens for turn in report.turns),
            output_tokens=sum(turn.output_tokens for turn in report.turns),
            usd=sum(costs) if costs else None,
            jira_calls=report.jira_calls,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedCase:
    """A mail with its end and the names of the fields that are wrong."""

    name: str
    expected: Expected
    got: Got
    wrong: tuple[str, ...]

    @property
    def right(self) -> bool:
        return not self.wrong


def judged(
    mails: Sequence[MailCase], ends: Sequence[Got], *, dry_run: bool = False, addresses: Mapping[str, str] | None = None
) -> tuple[JudgedCase, ...]:
    """Judge each mail. In a dry run a mail has no ticket that a later one could name, so `mail:…` is not judged.

    `addresses` of people by id, where Jira hides them.
    """
    made = {mail.name: got.ticket for mail, got in zip(mails, ends, strict=True)}
    named = {key for mail in mails for key in mail.expected.ticket}
    lines = []
    for place, (mail, got) in enumerate(zip(mails, ends, strict=True)):
        expected = mail.expected
        if dry_run and any(ticket.startswith("mail:") for ticket in expected.ticket):
            expected = replace(expected, ticket=())
        known = named | {end.ticket for end in ends[:place]}
        end = _with_addresses(got, addresses or {})
        wrong = tuple(_wrong(expected, end, made, set() if dry_run else known))
        lines.append(JudgedCase(name=mail.name, expected=mail.expected, got=got, wrong=wrong))
    return tuple(lines)


def _with_addresses(got: Got, addresses: Mapping[str, str]) -> Got:
    """Return the end with the addresses of its assignee, who is known by name and id."""
    if got.facts is None:
        return got
    known = (addresses[one] for one in got.facts.assignee if one in addresses)
    return replace(got, facts=replace(got.facts, assignee=(*got.facts.assignee, *known)))


def _wrong(expected: Expected, got: Got, made: Mapping[str, str], known: set[str]) -> Iterator[str]:
    """Yield the names of the fields that differ."""
    facts = got.facts or TicketFacts()
    text = facts.text.casefold()
    right = {
        "action": got.action in expected.action,
        "disposition": not expected.disposition or got.disposition in expected.disposition,
        "ticket": not expected.ticket or any(_is(got.ticket, ticket, made, known) for ticket in expected.ticket),
        "type": _one_of(expected.type, [facts.type]),
        "priority": _one_of(expected.priority, [facts.priority]),
        "component": _one_of(expected.component, facts.components),
        "assignee": _one_of(expected.assignee, facts.assignee),
        "labels": set(expected.labels or ()) <= set(facts.labels),
        "due_date": not expected.due_date or (facts.due_date or NONE) in expected.due_date,
        "structure": all(part.casefold() in text for part in expected.structure),
        "absent": not any(part.casefold() in text for part in expected.absent),
    }
    return (name for name, is_right in right.items() if not is_right)


def _one_of(wanted: Sequence[str], values: Sequence[str]) -> bool:
    """Tell whether one of the values is wanted, in any case; none is given as NONE, and nothing wanted is always right."""
    return not wanted or bool({value.casefold() for value in values or [NONE]} & {each.casefold() for each in wanted})


def _is(ticket: str, wanted: str, made: Mapping[str, str], known: set[str]) -> bool:
    """Tell whether `ticket` is the expected one: `new`, `none`, `mail:07` (that mail's ticket) or a key."""
    if wanted == "new":
        return bool(ticket) and ticket not in known
    if wanted == NONE:
        return not ticket
    if wanted.startswith("mail:"):
        return bool(ticket) and ticket in {key for name, key in made.items() if name.startswith(wanted[5:])}
    return ticket == wanted


def confusion(lines: Sequence[JudgedCase]) -> dict[str, dict[str, int]]:
    """Count dispositions: expected → got → mails; only mails whose disposition is expected."""
    counts = Counter(
        (line.expected.disposition[0], line.got.disposition) for line in lines if line.expected.disposition
    )
    return {
        expected: {got: counts[expected, got] for one, got in sorted(counts) if one == expected}
        for expected in sorted({one for one, _ in counts})
    }


def cost(lines: Sequence[JudgedCase], seconds: float) -> dict[str, Any]:
    """Sum what the run has cost; dollars are null where no price is known."""
    known = [line.got.usd for line in lines if line.got.usd is not None]
    return {
        "usd": round(sum(known), 6) if known else None,
        "model_calls": sum(line.got.model_calls for line in lines),
        "input_tokens": sum(line.got.input_tokens for line in lines),
        "output_tokens": sum(line.got.output_tokens for line in lines),
        "jira_calls": sum(line.got.jira_calls for line in lines),
        "seconds": round(seconds, 1),
    }


def as_row(line: JudgedCase) -> dict[str, Any]:
    """Return one entry of `per_case`; of the expectation what is judged, of the ticket no text."""
    expected = {name: value for name, value in asdict(line.expected).items() if value and name not in {"about", "why"}}
    got = asdict(line.got)
    facts = got.pop("facts") or {}
    facts.pop("text", None)
    return {"case": line.name, "right": line.right, "wrong": list(line.wrong), "expected": expected, "got": got | facts}
