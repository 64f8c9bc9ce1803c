"""Reads the audit: who did what about which mail, which model was asked, and what it cost."""

from dataclasses import dataclass, replace

from triage.domain.operations.audit import AuditFilter, AuditReport, Deed
from triage.domain.ports import AuditLog, DeedLog


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditService:
    """Called by `triage audit` and by the HTTP API; it writes nothing. Raises `StoreDown`."""

    log: AuditLog
    done: DeedLog

    async def report(self, where: AuditFilter, limit: int, *, words: bool = True) -> AuditReport:
        """Return sums over all rows that pass the filter, and the newest `limit` of each table; without `words` nothing that quotes mails."""
        called, events = await self.log.mcp_calls(where, limit), await self.log.events(where, limit)
        deeds, theirs = await self.done.deeds(where, limit), await self.done.deeds(where, limit, people=True)
        return AuditReport(
            spending=await self.log.spending(where),
            deeds=deeds if words else _wordless(deeds),
            runs=await self.log.runs(where, limit),
            calls=await self.log.calls(where, limit),
            events=events if words else tuple(one.wordless() for one in events),
            mcp_calls=called if words else tuple(one.wordless() for one in called),
            by_people=theirs if words else _wordless(theirs),
        )


def _wordless(deeds: tuple[Deed, ...]) -> tuple[Deed, ...]:
    return tuple(replace(one, detail="") for one in deeds)
