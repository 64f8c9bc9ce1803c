"""Asks approvers by letter about what waits, once each and about exactly what waits now."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from triage.domain.approvals import Approval, Approver, ApproverProof
from triage.domain.cases import Case
from triage.domain.ports import Archive, Clock, LetterStore
from triage.policy.approvals.approvers import wrote_it
from triage.policy.channels.approval_letters import approval_letter
from triage.policy.letters.recipients import Recipients


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalLetters:
    """Asks approvers by letter about open approvals; each letter is queued once by its key, also if several processes run it."""

    archive: Archive
    letters: LetterStore
    clock: Clock
    people: Callable[[], tuple[str, ...]]
    """Returns the addresses of the approvers as they are now."""
    links: Callable[[Approval, str], str]
    """Returns lines with the links of a person; empty without PUBLIC_URL."""
    recipients: Callable[[Approval, Case], Recipients | None]
    """Returns who would get a letter; None for what is none."""
    domain: str
    """Domain of MAIL_FROM."""
    secret: bytes = field(repr=False)
    queued: set[tuple[int, str, str]] = field(default_factory=set)
    """Letters that this process has queued."""

    async def run_once(self) -> None:
        """Queue the letters about what waits. Nobody is asked about his own mail. Raises `StoreDown`."""
        for approval in await self.archive.approvals():
            for person in self.people():
                known = (approval.id, person, approval.hash)
                if known not in self.queued and not wrote_it(
                    Approver(name=person, proof=ApproverProof.MAIL, address=person), approval
                ):
                    await self._ask(approval, person)
                self.queued.add(known)

    async def _ask(self, approval: Approval, person: str) -> None:
        case = (await self.archive.report(approval.case)).case
        to, links = self.recipients(approval, case), self.links(approval, person)
        letter = approval_letter(
            approval, case, person, to=to.people if to else (), links=links, domain=self.domain, secret=self.secret
        )
        await self.letters.queue(replace(letter, due_at=self.clock.now()))
