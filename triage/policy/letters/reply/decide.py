"""Chooses the tools that prepare an answer, by a table over the intent of the mail."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from triage.domain.findings import Intent, IntentFinding


class ReplyPart(StrEnum):
    """What a tool does for an answer; the table of toolsets says which tool does it."""

    CALENDAR = "calendar"
    """Finds free times."""
    CONTACT = "contact"
    """Says who the sender is to us."""
    DRAFT = "draft"
    """Lays the answer before a person."""
    LETTER = "letter"
    """Sends it."""


TOOLS: Final[Mapping[Intent, tuple[ReplyPart, ...]]] = {
    Intent.MEETING_REQUEST: (ReplyPart.CALENDAR, ReplyPart.DRAFT),
    Intent.COMPLAINT: (ReplyPart.CONTACT, ReplyPart.DRAFT),
    Intent.INQUIRY: (ReplyPart.CONTACT, ReplyPart.DRAFT),
    Intent.FOLLOW_UP: (ReplyPart.CONTACT, ReplyPart.DRAFT),
    Intent.SPAM: (),
    Intent.OTHER: (),
}
"""Intent → what its answer needs, in the order in which it is done; the last one writes."""
DISPENSABLE: Final = frozenset({(Intent.INQUIRY, ReplyPart.CONTACT)})
"""Parts whose absence takes nothing from an answer."""
SILENT: Final = {
    Intent.SPAM: "spam is never answered",
    Intent.OTHER: "the mail asks for nothing",
}
PROVEN: Final = 0.4
"""Least confidence in an intent for an answer; below, only a guess would be answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyPlan:
    """How a mail is answered."""

    tools: tuple[str, ...] = ()
    """Tools that run, in order; empty: the mail is not answered."""
    missing: tuple[str, ...] = ()
    """Tools that the table names and nobody has installed."""
    needed: tuple[str, ...] = ()
    """Those of them that the answer would be better with."""
    because: str = ""


def plan_of(
    found: IntentFinding, tools: Mapping[ReplyPart, str], installed: Collection[str], refusal: str = ""
) -> ReplyPlan:
    """Return the plan. `tools` names the tool of each part, `refusal` says why this mail may not be answered at all."""
    if found.intent in SILENT:
        return ReplyPlan(because=SILENT[found.intent])
    if refusal:
        return ReplyPlan(because=refusal)
    if found.confidence < PROVEN:
        return ReplyPlan(
            because=f"what the writer wants is not clear ({found.confidence:.0%} {_intent_text(found.intent)})"
        )
    wanted = TOOLS[found.intent]
    missing = tuple(part for part in wanted if tools[part] not in installed and part is not ReplyPart.DRAFT)
    return ReplyPlan(
        tools=tuple(tools[part] for part in wanted if part not in missing),
        missing=tuple(tools[part] for part in missing),
        needed=tuple(tools[part] for part in missing if (found.intent, part) not in DISPENSABLE),
        because=f"{_intent_text(found.intent)} ({found.confidence:.0%})",
    )


def _intent_text(intent: Intent) -> str:
    return str(intent).replace("_", " ")
