"""What the Action Agent may set: importance with its reason; urgency, day and owner follow from the notes that it names."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, Final

from triage.domain.memory.notes import Note, NoteTrust, Quadrant
from triage.policy.calendar.due_date import days_named
from triage.policy.memory.notes.quotation import quote_of, with_quote
from triage.policy.memory.proposals.observed import Settled, invented
from triage.policy.memory.quadrants import IMPORTANT, UNIMPORTANT, important_half, near, urgent_half, weighed
from triage.policy.memory.reading.owners import same_person
from triage.policy.memory.reading.wording import languages_of
from triage.policy.text.commands import commands_in

MOST: Final = 20
"""People and tickets that an action has from its sources."""


def settled_action(proposed: Mapping[str, Any], before: Note | None, sources: Sequence[Note], today: date) -> Settled:
    """Return the action as code makes it. `sources` are the notes that it follows from, `before` the action that is changed."""
    grounds = (*sources, *((before,) if before else ()))
    reason = _refusal(proposed, before, grounds)
    if reason:
        return Settled(proposed, reason)
    arguments = {name: value for name, value in proposed.items() if name not in {"source_emails", "people", "tickets"}}
    if before is None:
        arguments |= _inherited(proposed, sources)
    if not proposed.get("quadrant"):
        return Settled(arguments)
    day = proposed.get("deadline") or _first_day(before, sources)
    urgent = near(day, today) or (urgent_half(before) if before and before.deadline is None and day is None else "")
    now = weighed(Quadrant(proposed["quadrant"]), proposed["priority_justification"], urgent)
    return Settled({**arguments, "quadrant": now.quadrant.value, "priority_justification": now.why})


def _inherited(proposed: Mapping[str, Any], sources: Sequence[Note]) -> dict[str, Any]:
    """Return what a new action has from its sources where the agent says nothing."""
    owners = {note.owner for note in sources if note.owner}
    given = {
        "text": with_quote(proposed["text"], quote_of(sources[0].text)) if proposed.get("text") else sources[0].text,
        "owner": proposed.get("owner") or (next(iter(owners)) if len(owners) == 1 else ""),
        "deadline": proposed.get("deadline") or _first_day(None, sources),
        "people": list(dict.fromkeys(who for note in sources for who in note.people))[:MOST],
        "tickets": list(dict.fromkeys(key for note in sources for key in note.tickets))[:MOST],
    }
    return {name: value for name, value in given.items() if value}


def _refusal(proposed: Mapping[str, Any], before: Note | None, grounds: Sequence[Note]) -> str:
    checks = (_unjustified(proposed, before), _of_nobody(proposed, grounds), _undated(proposed, grounds))
    return next(filter(None, checks), "") or _made_up(proposed, grounds) or _weightless(proposed, before, grounds)


def _unjustified(proposed: Mapping[str, Any], before: Note | None) -> str:
    if before is None and not proposed.get("source_memories"):
        return "an action names in `source_memories` the notes that it follows from"
    if (before is None or proposed.get("quadrant")) and not (
        proposed.get("quadrant") and proposed.get("priority_justification")
    ):
        return "an action has a `quadrant` and a `priority_justification`: what is at stake, and when"
    if before is None and proposed["quadrant"] == Quadrant.ELIMINATE:
        return "what is neither urgent nor important needs no new action"
    return ""


def _of_nobody(proposed: Mapping[str, Any], grounds: Sequence[Note]) -> str:
    owner = proposed.get("owner", "")
    known = [who for note in grounds for who in (note.owner, *note.people) if who]
    if not owner or any(same_person(owner, who) for who in known):
        return ""
    return f"{owner[:80]} is nobody of these notes: leave `owner` out"


def _undated(proposed: Mapping[str, Any], grounds: Sequence[Note]) -> str:
    day = proposed.get("deadline")
    if not day or day in {known for note in grounds for known in _days(note)}:
        return ""
    return f"{day} stands in none of these notes: leave `deadline` out"


def _days(note: Note) -> Iterator[date]:
    """Yield the days that a note names, counted from its own."""
    if note.deadline:
        yield note.deadline
    if note.created:
        text = f"{note.title}\n{note.text}"
        written_at = datetime.combine(note.created, time(12), UTC)
        yield from (day for _, day in days_named(text, written_at, languages_of(text)))


def _made_up(proposed: Mapping[str, Any], grounds: Sequence[Note]) -> str:
    words = "\n".join(str(proposed.get(name, "")) for name in ("title", "text", "priority_justification"))
    if commands_in(words):
        return "an action says what somebody has to do; it gives no orders to a program"
    held = [each for note in grounds for each in (note.id, note.title, note.text, note.owner, *note.people)]
    held += [key for note in grounds for key in note.tickets]
    foreign = invented(words, held, [*(day for note in grounds for day in _days(note)), proposed.get("deadline")])
    return f"{', '.join(foreign[:3])}: no note that the action follows from says so" if foreign else ""


def _weightless(proposed: Mapping[str, Any], before: Note | None, grounds: Sequence[Note]) -> str:
    """Return why an action cannot be as important as that, or cannot lose its importance."""
    if not proposed.get("quadrant"):
        return ""
    important = proposed["quadrant"] in IMPORTANT
    half = important_half(before) if before else ""
    if before and not important and half and not half.startswith(UNIMPORTANT):
        return f"{before.id} is important: {half}. Only a person takes that from it"
    proven = any(note.trust is not NoteTrust.UNTRUSTED for note in grounds)
    held = proven or any(note.deadline or note.tickets for note in grounds)
    return "" if held or not important else "what only an unproven sender says, without day or ticket, is not important"


def _first_day(before: Note | None, sources: Sequence[Note]) -> date | None:
    if before is not None:
        return before.deadline
    return min((note.deadline for note in sources if note.deadline), default=None)
