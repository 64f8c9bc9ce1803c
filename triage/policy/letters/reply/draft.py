"""Writes the body of a letter from its text, in the tone of its kind and the language of its reader."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Protocol

from triage.domain.conversation import Json
from triage.domain.findings import Intent
from triage.domain.letters.reply import Execution, ToolExecution
from triage.domain.mail import Address
from triage.domain.text.truncation import truncated

LONGEST_NAME: Final = 60
LONGEST_SUBJECT: Final = 100
TONES: Final[Mapping[Intent, str]] = {
    Intent.INQUIRY: "professional",
    Intent.MEETING_REQUEST: "professional",
    Intent.COMPLAINT: "empathetic",
    Intent.FOLLOW_UP: "friendly",
}
"""Intent → tone of its answer, which the model is told and the texts are written in."""
MEGABYTE: Final = 1024 * 1024
WHOLE: Final = 10
"""Megabytes from which on fractions do not matter."""
_NAME: Final = re.compile(r"[^\W\d_]+(?:[ .'\u2019-]{1,2}[^\W\d_]+)*\.?")
_MARKS: Final = re.compile(r"[\\`*_{}\[\]<>#|~]")


class Texts(Protocol):
    """The texts in one language or another."""

    def text(self, language: str, block: str, values: Mapping[str, Any]) -> str:
        """Render one text. Raises `LookupError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftFacts:
    """What a letter may say. Nothing in it comes from a ticket that its reader may not see."""

    name: str = ""
    ticket: str = ""
    status: str = ""
    missing: tuple[str, ...] = ()
    """Names of the texts of what is asked for."""
    slots: tuple[str, ...] = ()
    """Free times, as people read them."""
    zone: str = ""
    subject: str = ""
    limit: str = ""
    """Megabytes of the largest mail, by `megabytes`."""
    opens: datetime | None = None
    """When the office opens; None: it is open."""
    signature: str = ""


def megabytes(size: int) -> str:
    """Return bytes as megabytes for people: `25`, and `0.48` where it is less than ten."""
    value = size / MEGABYTE
    return str(int(value)) if value >= WHOLE else f"{value:.2g}"


def draft_of(block: str, language: str, facts: DraftFacts, texts: Texts) -> str:
    """Return the Markdown of a letter: greeting, text, opening hours if the office is closed, closing."""
    values = {
        "name": facts.name,
        "ticket": facts.ticket,
        "status": facts.status,
        "slots": facts.slots,
        "zone": facts.zone,
        "missing": tuple(texts.text(language, one, {}) for one in facts.missing),
        "subject": facts.subject,
        "limit": facts.limit,
        "signature": facts.signature,
    }
    parts = [texts.text(language, "greeting", values), texts.text(language, block, values)]
    if facts.opens:
        parts.append(texts.text(language, "hours", {"opens": date_text(facts.opens, language, texts)}))
    return "\n\n".join((*parts, texts.text(language, "closing", values))) + "\n"


def framed(body: str, language: str, facts: DraftFacts, texts: Texts) -> str:
    """Return a body that a model wrote, with our greeting and closing around it."""
    values = {"name": facts.name, "signature": facts.signature}
    parts = [texts.text(language, "greeting", values), body.strip()]
    if facts.opens:
        parts.append(texts.text(language, "hours", {"opens": date_text(facts.opens, language, texts)}))
    return "\n\n".join((*parts, texts.text(language, "closing", values))) + "\n"


def date_text(at: datetime, language: str, texts: Texts) -> str:
    """Return day and time as people of this language write them."""
    days: Sequence[str] = texts.text(language, "days", {}).split(",")
    return texts.text(language, "date", {"day": days[at.weekday()].strip(), "at": at})


def name_of(sender: Address | None) -> str:
    """Return the sender's name for a greeting; empty if it is not plainly a name."""
    name = " ".join((sender.name if sender else "").split())
    return name if len(name) <= LONGEST_NAME and _NAME.fullmatch(name) else ""


def subject_text(subject: str) -> str:
    """Return a subject of somebody else as it may stand in a letter of ours: short, without marks of Markdown."""
    title = " ".join(_MARKS.sub("", subject).split())
    return truncated(title, LONGEST_SUBJECT)


FREE: Final = "free"
"""Key of the free times."""
MOST: Final = 3
"""Times that a letter offers."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_SLOT: Final = re.compile(r"(?:\w+ )?(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?:-(\d\d:\d\d))?")
"""`Mon 2026-11-23 09:00-09:30`, in the calendar's time zone."""


def free_times(
    executions: Sequence[ToolExecution], language: str, texts: Texts, wished: Collection[date] = ()
) -> tuple[tuple[str, ...], str]:
    """Return at most three free times, first those on the wished days, and their time zone; none if the calendar was not read."""
    results = [_read(one.result) for one in executions if one.state is Execution.DONE]
    found = next((result for result in results if FREE in result), {})
    slots = [str(slot) for slot in found.get(FREE) or ()]
    days = {day.isoformat() for day in wished}
    best = sorted(range(len(slots)), key=lambda place: days.isdisjoint(_DAY.findall(slots[place])))[:MOST]
    return tuple(_slot_text(slots[place], language, texts) for place in sorted(best)), str(found.get("zone", "UTC"))


def _read(result: str) -> Mapping[str, Json]:
    try:
        read = json.loads(result)
    except ValueError:  # cut, because it was too long
        return {}
    return read if isinstance(read, Mapping) else {}


def _slot_text(slot: str, language: str, texts: Texts) -> str:
    found = _SLOT.fullmatch(slot)
    if found is None:
        return slot
    day, start, end = found.groups()
    day_text = date_text(datetime.fromisoformat(f"{day}T{start}+00:00"), language, texts)
    return f"{day_text}\u2013{end}" if end else day_text
