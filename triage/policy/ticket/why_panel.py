"""Writes the panel under a ticket or comment that says why Triage decided so; nothing in it is a model's own text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from triage.domain.cases import Case
from triage.domain.findings import NOT_READ, Candidate, ComponentGuess, Cue, Suggestion
from triage.domain.text.truncation import truncated
from triage.domain.tickets import Panel, TicketDraft
from triage.policy.calendar.clock_time import sent_at
from triage.policy.calendar.due_date import due_date_of
from triage.policy.decision.playbook import REQUESTS, jira_types_of
from triage.policy.text.commands import commands_in
from triage.policy.ticket.markdown import literal
from triage.policy.ticket.versions import VersionsNamed

LONGEST_WORDS: Final = 60
"""Characters of one quotation from the mail."""
QUOTED: Final = 3
LOOKED_AT: Final = 3
RUNNERS_UP: Final = 2
LIKE: Final = 0.1
"""Probability below which nobody would open the other ticket."""
WORTH_A_LOOK: Final = 0.25
"""Probability from which a component is named that was not sure enough."""
LIKELY: Final = 0.5
"""Probability below which a component is on the ticket for another reason, which is given in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Where people read a case, and how they correct it."""

    report: str = ""
    """Address of a case's page, with `{case}`; empty: there is none."""

    def line(self, case: str) -> str:
        """Render the links of one case, or the commands for it."""
        page = f"[{case}]({self.report.replace('{case}', case)})" if self.report else f"`triage show {case}`"
        return f"**Report** {page} · **wrong?** `triage correct {case}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelDecision:
    """What a new ticket gets, and what code took out of it."""

    draft: TicketDraft
    assignee: str = ""
    """Name of the draft's assignee."""
    notes: tuple[str, ...] = ()
    """What the table of rights reduced or left out, and why."""
    links: Links = field(default_factory=Links)
    versions: VersionsNamed = field(default_factory=VersionsNamed)
    """The project's versions that the mail names."""
    may_be_from: float = 0.3
    """Probability from which a ticket may be the same matter (MAY_BE_DUPLICATE_FROM)."""
    related: str = ""
    """Key of the ticket that the agent compared with the mail and found to be of the same matter."""


def why_ticket(case: Case, decided: PanelDecision) -> Panel:
    draft = decided.draft
    lines = (
        *_warnings(case),
        *_type(case.cues.type, draft.issue_type),
        *_priority(case.cues.priority, draft.priority),
        *_held_back(decided.notes),
        *_due(case, draft),
        *_components(case, draft.components),
        *_versions(decided.versions, draft.affects_versions),
        *_assignee(case.retrieval.proposals, draft.assignee, decided.assignee),
        *_new_topic(case),
        *_likely_tickets(case, decided),
        decided.links.line(case.id),
    )
    return Panel(lines=lines)


def why_comment(case: Case, key: str, links: Links) -> Panel:
    """Return the shorter panel of a comment on this ticket."""
    return Panel(lines=(*_warnings(case), _why_here(case, key), links.line(case.id)))


def why_part(case: Case, draft: TicketDraft, part: str, by: str, links: Links) -> Panel:
    """Return the panel of a ticket that a person has made of a part of another one; `part` is `2 of HARB-60`."""
    lines = (
        *_warnings(case),
        f"**Part** {literal(part)}: {literal(by)} gave it a ticket of its own",
        *_type(case.cues.type, draft.issue_type),
        *_priority(case.cues.priority, draft.priority),
        *_due(case, draft),
        links.line(case.id),
    )
    return Panel(lines=lines)


def _warnings(case: Case) -> Iterator[str]:
    if commands := (*commands_in(case.mail.subject), *commands_in(case.mail.reply or case.mail.text)):
        yield f"**Warning** The mail tries to command the bot: {_words(commands)}. It changed nothing; read the mail with care."


def _type(cue: Cue, issue_type: str) -> Iterator[str]:
    agrees = issue_type in jira_types_of(cue.value)
    if reason := _reason(cue, REQUESTS.get(cue.value, "no kind of request"), agrees=agrees):
        yield f"**Type** {literal(issue_type)}: {reason}"


def _priority(cue: Cue, priority: str | None) -> Iterator[str]:
    name = literal(priority) if priority else "left to Jira"
    if reason := _reason(cue, cue.value, agrees=priority == cue.value):
        yield f"**Priority** {name}: {reason}"


def _reason(cue: Cue, quoted: str, *, agrees: bool) -> str:
    """Say which words gave the value; where it is another one, what the words alone would have given. Empty: there is none."""
    if cue.value == NOT_READ:
        return "the mail is in a language that our word lists do not read"
    words = _words(cue.evidence)
    if agrees:
        return f"the mail says {words}" if words else ""
    alone = f"{words} alone would say {literal(quoted)}" if words else "no single word says so"
    return f"judged on the whole; {alone}"


def _held_back(notes: Sequence[str]) -> Iterator[str]:
    if notes:
        yield f"**Held back** {literal('; '.join(notes))}"


def _due(case: Case, draft: TicketDraft) -> Iterator[str]:
    """Say where the day comes from, unless the description does."""
    if draft.due_date is None or draft.due_date.isoformat() in draft.description.replace("\\", ""):
        return
    text = f"{case.mail.subject}\n{case.mail.reply or case.mail.text}"
    found = due_date_of(text, sent_at(case.mail, case.received_at), case.received_at)
    why = f"the mail says {_words([found.evidence])}" if found and found.day == draft.due_date else "read from the mail"
    yield f"**Due** {draft.due_date.isoformat()}: {why}"


def _new_topic(case: Case) -> Iterator[str]:
    if case.identity.new_topic:
        why = literal(case.identity.new_topic_because)
        yield f"**Apart from** {case.identity.new_topic}, the ticket of the thread: the answer {why}"


def _components(case: Case, components: Sequence[str]) -> Iterator[str]:
    """Say why each component was taken; without any, which ones are worth a look."""
    guesses = {guess.name: guess for guess in case.retrieval.components}
    if components:
        text = f"{case.mail.subject}\n{case.mail.text}".casefold()
        yield "**Component** " + "; ".join(_component(name, guesses.get(name), text) for name in components)
    elif near := [guess for guess in case.retrieval.components if guess.probability >= WORTH_A_LOOK][:RUNNERS_UP]:
        named = ", ".join(f"{literal(one.name)} ({one.probability:.0%})" for one in near)
        yield f"**Component** {'left out' if near[0].sure else 'not sure'}: {named}"


def _component(name: str, guess: ComponentGuess | None, text: str) -> str:
    if guess is not None and guess.evidence:
        likely = f" ({guess.probability:.0%})" if guess.probability >= LIKELY else ""
        return f"{literal(name)}{likely}: {literal('; '.join(guess.evidence[: 2 if likely else 1]))}"
    return f"{literal(name)}: {'the mail names it' if name.casefold() in text else 'by what the mail is about'}"


def _versions(named: VersionsNamed, affected: Sequence[str]) -> Iterator[str]:
    """Say by which words a version is affected; without any, which ones may be meant."""
    words = {each.name: _words([each.evidence]) for each in named.affected}
    if affected:
        each = (
            f"{literal(name)}: {f'the mail says {words[name]}' if name in words else 'the mail names it'}"
            for name in affected
        )
        yield f"**Affected version** {'; '.join(each)}"
    elif named.unsure:
        near = ", ".join(f"{literal(one.name)} ({_words([one.evidence])})" for one in named.unsure[:RUNNERS_UP])
        yield f"**Affected version** not sure: {near}"


def _assignee(proposals: Sequence[Suggestion], assignee: str | None, name: str) -> Iterator[str]:
    """Name the assignee with what speaks for him, then the runners-up; without one, those who are nearest."""
    others = [one for one in proposals if one.person.id != assignee][:RUNNERS_UP]
    near = ", ".join(map(_runner_up, others))
    then = f"; then {near}" if near else ""
    chosen = next((one for one in proposals if one.person.id == assignee), None)
    if chosen is not None:
        sure = "" if chosen.probability is None else f" ({chosen.probability:.0%})"
        reasons = "; ".join(chosen.reasons[:2]) or "such work is mostly hers or his"
        yield f"**Assignee** {literal(chosen.person.name)}{sure}: {literal(reasons)}{then}"
    elif assignee:
        yield f"**Assignee** {literal(name or assignee)}: asked for{then}"
    elif near:
        yield f"**Assignee** not sure: {near}"


def _runner_up(one: Suggestion) -> str:
    """Name the person with the probability or, while points give the order, with what speaks most for him: points tell a reader nothing."""
    why = literal("".join(one.reasons[:1])) if one.probability is None else f"{one.probability:.0%}"
    return f"{literal(one.person.name)} ({why})" if why else literal(one.person.name)


def _likely_tickets(case: Case, decided: PanelDecision) -> Iterator[str]:
    """Name the likeliest ticket if it may be the same matter, and else the likely ones, which are not."""
    near = [one for one in case.retrieval.candidates if one.probability >= LIKE][:LOOKED_AT]
    if decided.related:
        yield f"**Same matter** as {decided.related}: the agent compared them"
    if near and near[0].probability >= decided.may_be_from:
        if near[0].ticket.key != decided.related:
            yield f"**May be the same** as {_percent(near[0])}: {literal('; '.join(near[0].evidence)) or 'words in common'}"
        return
    if (alike := case.retrieval.alike) and alike.key != decided.related:
        yield f"**May be the same** as {alike.key}: it means nearly the same"
    if case.named:
        yield f"**The mail names** {', '.join(case.named)}"
    if others := [one for one in near if one.ticket.key not in {*case.named, decided.related, alike and alike.key}]:
        yield f"**Looked at** {', '.join(map(_percent, others))}: not the same matter"
    if not case.retrieval.searched and not near:
        yield "**Looked at** nothing was searched beforehand"


def _why_here(case: Case, key: str) -> str:
    """Say why the comment stands on this ticket."""
    if key == case.ticket:
        return "**Here** because it belongs to the same thread"
    near = next((one for one in case.retrieval.candidates if one.ticket.key == key), None)
    if near is None:
        return "**Here** because a search found this ticket"
    because = literal(near.certain) or f"it is the same matter by {near.percent}"
    return f"**Here** because {because}: {literal('; '.join(near.evidence)) or 'words in common'}"


def _percent(one: Candidate) -> str:
    return f"{one.ticket.key} ({one.percent})"


def _words(evidence: Sequence[str]) -> str:
    """Quote words of the mail, cut and without markup."""
    return ", ".join(f"“{literal(truncated(words, LONGEST_WORDS))}”" for words in evidence[:QUOTED])
