"""Decides whose mail is never ignored because of its words: colleagues, participants, known reporters, listed senders."""

from collections.abc import Iterator
from dataclasses import dataclass

from triage.config.dispositions.table import DispositionTable
from triage.domain.mail import Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderFacts:
    """What is known about the sender of a mail."""

    address: str
    trust: Trust = Trust.UNVERIFIED
    checked: bool = False
    """Senders are checked for this source, so that a missing proof counts against the sender."""
    deceptive: bool = False
    """The From header is ambiguous or imitates somebody."""
    imitates: str = ""
    """Why the sender may be somebody who imitates one of us; empty if nothing says so."""
    participant: bool = False
    """The sender is proven to take part in the thread of the ticket, or answers a mail of ours."""
    in_thread: bool = False
    """The mail answers a mail of the ticket."""
    ours: bool = False
    """The address is one of our domains or of the project's people."""
    reported: bool = False
    """An earlier mail of the address became a ticket."""
    routed: str = ""
    """The routing rule that names this sender, header or subject; empty for the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SenderStanding:
    """How far a sender's mail may be set aside."""

    protected: str = ""
    """Why neither words nor a classifier may ignore it; empty if they may."""
    claimed: str = ""
    """The same reason without proof: words can at most hand it to a person."""
    blocked: str = ""
    """The entry of the block list."""
    important: str = ""
    """The entry of the list of important senders, if it is believed."""
    imitates: str = ""
    """See `SenderFacts`: what such a mail wants, a person decides."""
    unproven: bool = False
    """Senders are checked, and nothing proves this one."""


def standing_of(sender: SenderFacts, table: DispositionTable) -> SenderStanding:
    """Judge a sender. A forged sender has no standing, but may be blocked, which harms no one else."""
    blocked = table.block.match(sender.address)
    unproven = sender.checked and sender.trust in {Trust.UNVERIFIED, Trust.FAILED}
    if blocked or sender.trust is Trust.FAILED or sender.deceptive:
        return SenderStanding(blocked=blocked, imitates=sender.imitates, unproven=unproven)
    if sender.participant:
        return SenderStanding(protected="takes part in the thread", important=table.important.match(sender.address))
    why = next(_reasons(sender, table), "")
    believed = sender.trust is Trust.VERIFIED or not sender.checked
    if not believed:
        return SenderStanding(claimed=why, unproven=unproven)
    return SenderStanding(protected=why, important=table.important.match(sender.address))


def _reasons(sender: SenderFacts, table: DispositionTable) -> Iterator[str]:
    """Yield why the mail matters, the strongest reason first."""
    if entry := table.important.match(sender.address):
        yield f"important sender: {entry}"
    if entry := table.allow.match(sender.address):
        yield f"allowed sender: {entry}"
    if sender.ours:
        yield "one of us"
    if sender.reported:
        yield "an earlier mail of the sender became a ticket"
    if sender.in_thread:
        yield "answers a mail of the ticket"
    if sender.routed:
        yield f"the rule {sender.routed} is for such mails"
