"""Forgets a person: redacts his cases one by one, then the copies of tickets, then what the files still hold."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triage.domain.errors import StoreDown
from triage.domain.memory.errors import NoteChanged, VaultDown, VaultReadOnly
from triage.domain.memory.notes import ForgottenNotes
from triage.domain.operations.errors import ArchiveDenied, ArchiveDown
from triage.domain.operations.forgetting import ForgetReport, PersonCase, TicketToRedact
from triage.domain.ports import DeedLog, ForgetStore, TicketCopies, TicketIndex
from triage.domain.text.counts import many
from triage.policy.privacy.naming import names_person
from triage.policy.thread.fingerprint import canonical, organisations, person
from triage.services.archiving import MailArchiving
from triage.services.memory.notes import NoteService
from triage.services.ticket_index_sync import no_progress

SHOWN: Final = 200
"""Cases of other people that a report names."""
NOT_SHREDDED: Final = (
    "another process reads old pages of the database: stop Triage, or wait, and run the same command again"
)
OUTSIDE: Final = (
    "the mailbox and its provider: delete the mails there, sent letters and drafts included",
    "Jira: the tickets named here, their comments, files and history; accounts and address books that name the person",
    "calendars and address books that Triage writes to: meetings with the person, and his card",
    "backups made before now: `triage forget ADDRESS --backup FILE` does the same in each, or delete them",
    "copies of the team's memory: its Git history, synchronised devices, backups of the folder",
    "the provider of the model: what it keeps of prompts, and for how long, its contract says",
    "recordings and test cases that were made of mails, and what installed tools and MCP servers keep",
    "his account of the console and his access tokens, if he has any, and what colleagues decided: `triage user list`, `triage token list`",
    "log files, and programs that were told by NOTIFY_URLS or webhooks",
    "the archive of raw mails: older versions that its bucket keeps, copies that a provider makes",
    "PostgreSQL alone: its write-ahead log and its replicas, until they are recycled",
    "the search index of other hosts of the same database: `triage sync --rebuild` on each",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetService:
    """Called by `triage forget`. Each case is one commit, so an interrupted run is finished by the next one."""

    store: ForgetStore
    copies: TicketCopies
    deeds: DeedLog
    index: TicketIndex | None = None
    """This host's; None for a backup, which has none."""
    notes: NoteService | None = None
    """The team's memory; None where it is off, and for a backup."""
    archive: MailArchiving | None = None
    """What removes raw mails from the archive; None for a backup, whose mails there are those of the database in use."""
    page: Callable[[str], str] = str
    """The web page of a ticket, by its key."""

    async def plan(self, address: str) -> ForgetReport:
        """Return what would be redacted; changes nothing. Raises `StoreDown`."""
        address = address.strip().lower()
        found = await self.store.of_person(lambda other: canonical(other) == canonical(address))
        mine = {one.case for one in found}
        naming = await self.store.naming(address, SHOWN + len(mine))
        remembered, troubles = await self._remembered(address, mine)
        named = names_person(address, [one.sender for one in found], (*remembered.removed, *remembered.changed))
        return ForgetReport(
            address=address,
            dry_run=True,
            cases=found,
            tickets=self._pages(found, await self.copies.naming(address)),
            mentions=tuple(name for name in naming if name not in mine)[:SHOWN],
            notes=(*remembered.removed, *remembered.changed),
            notes_naming=remembered.naming[:SHOWN],
            mcp_calls=await self.store.forget_calls(named, dry_run=True),
            troubles=troubles,
            outside=OUTSIDE,
        )

    async def forget(self, address: str, *, by: str, under_way: bool = False) -> ForgetReport:
        """Redact every case of the person that is over, `under_way` the others, too. Raises `StoreDown`.

        The copies of his tickets go first: a run that was killed finds them by the cases that are left.
        """
        plan = await self.plan(address)
        over = [one for one in plan.cases if under_way or not one.under_way]
        still = {key for one in plan.cases if one not in over for key in one.worded}
        words = {key for one in over for key in one.worded} | set(await self.copies.naming(plan.address))
        await self.copies.withhold(sorted(words - still))
        # Before the cases: they hold the names by which calls are found.
        named = names_person(plan.address, [one.sender for one in plan.cases], plan.notes)
        await self.store.forget_calls(named, dry_run=False)
        names = (person(plan.address), *organisations((plan.address,)))
        why = {one.case: await self.store.forget(one.case, names, under_way=under_way) for one in over}
        cases = tuple(replace(one, under_way=why.get(one.case, one.under_way)) for one in plan.cases)
        shredded, troubles = await self._shredded()
        _, lost = await self._remembered(plan.address, [one.case for one in over], dry_run=False)
        kept = await self._emptied()
        await self.deeds.record("person_forgotten", by, many(len(over), "case"))
        done = not (lost or kept) and shredded
        return replace(plan, dry_run=False, cases=cases, shredded=done, troubles=(*troubles, *lost, *kept))

    async def _emptied(self) -> tuple[str, ...]:
        """Remove the copies of his mails from the archive, or say what kept us from it: what removes old mail goes on."""
        try:
            if self.archive is not None:
                await self.archive.remove_unwanted()
        except (ArchiveDown, ArchiveDenied) as e:
            return (str(e),)
        return ()

    async def _remembered(
        self, address: str, cases: Collection[str], *, dry_run: bool = True
    ) -> tuple[ForgottenNotes, tuple[str, ...]]:
        """Remove the notes that came from his mails, or say which they are; and what kept us from it."""
        if self.notes is None:
            return ForgottenNotes(), ()
        try:
            sources = (address, *cases)
            return await self.notes.forget_source(sources, "triage forget", for_good=True, dry_run=dry_run), ()
        except (VaultDown, VaultReadOnly, NoteChanged) as e:
            return ForgottenNotes(), (str(e),)

    async def _shredded(self) -> tuple[bool, tuple[str, ...]]:
        """Rebuild the search index without what was forgotten, and rewrite the database."""
        try:
            if self.index is not None:
                for project in await self.copies.withholding():
                    await self.index.rebuild(project, no_progress)
            shredded = await self.store.shred()
        except StoreDown as e:
            return False, (e.detail,)
        return shredded, () if shredded else (NOT_SHREDDED,)

    def _pages(self, cases: Sequence[PersonCase], more: Sequence[str]) -> tuple[TicketToRedact, ...]:
        keys = dict.fromkeys((*(key for one in cases for key in one.tickets), *more))
        return tuple(TicketToRedact(key=key, url=self.page(key)) for key in keys)
