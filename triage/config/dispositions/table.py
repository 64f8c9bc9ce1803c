"""Says what is done about each disposition, and which senders are always, never or with priority for us."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from triage.domain.findings import Disposition, DispositionAction, DispositionFinding

DEFAULTS: Final[Mapping[Disposition, DispositionAction]] = {
    Disposition.WORK: DispositionAction.TICKET,
    Disposition.QUESTION: DispositionAction.TICKET,
    Disposition.ADDITION: DispositionAction.COMMENT,
    Disposition.STATUS: DispositionAction.COMMENT,
    Disposition.NOT_FOR_US: DispositionAction.IGNORE,
    Disposition.NEWSLETTER: DispositionAction.IGNORE,
    Disposition.SPAM: DispositionAction.IGNORE,
    Disposition.AUTOMATIC: DispositionAction.IGNORE,
    Disposition.SEVERAL: DispositionAction.TICKET,
    Disposition.CONFIDENTIAL: DispositionAction.PERSON,
    Disposition.UNSURE: DispositionAction.PERSON,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderList:
    """Addresses and domains in lower case; a domain stands for its subdomains, too."""

    entries: frozenset[str] = frozenset()

    def match(self, address: str) -> str:
        """Return the entry that an address falls under, empty if none."""
        domain = address.rpartition("@")[2]
        labels = domain.split(".")
        parents = (".".join(labels[place:]) for place in range(len(labels)))
        return next((one for one in (address, *parents) if one and one in self.entries), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class DispositionTable:
    """The sections `dispositions` and `senders`."""

    actions: Mapping[Disposition, DispositionAction] = field(default_factory=lambda: DEFAULTS)
    allow: SenderList = field(default_factory=SenderList)
    """Their mail is never set aside."""
    block: SenderList = field(default_factory=SenderList)
    """Their mail is spam."""
    important: SenderList = field(default_factory=SenderList)
    """As `allow`, and people and model see that the sender is important."""

    def action_of(self, disposition: Disposition) -> DispositionAction:
        """Return what is done about a disposition."""
        return self.actions.get(disposition, DEFAULTS[disposition])

    def action_about(self, found: DispositionFinding) -> DispositionAction:
        """Return what is done about a mail: there is no ticket for a comment that would say that nothing is left to do."""
        action = self.action_of(found.disposition)
        return DispositionAction.IGNORE if found.settled and action is DispositionAction.COMMENT else action
