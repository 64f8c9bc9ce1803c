"""The ports of a `LeasedCase`, one file each."""

from integrations.sql.database.engine import Database
from integrations.sql.leased_case.approvals import SqlCaseApprovals
from integrations.sql.leased_case.cases import SqlCases
from integrations.sql.leased_case.dialogue import SqlCaseDialogue
from integrations.sql.leased_case.fence import Fence
from integrations.sql.leased_case.history import SqlCaseHistory
from integrations.sql.leased_case.journal import SqlJournal
from integrations.sql.leased_case.ledger import Put, SqlLedger
from integrations.sql.leased_case.threads import SqlThreads
from integrations.sql.leased_case.throttle import SqlThrottle
from integrations.sql.raw_mails.reading import RawMails
from triage.domain.cases import Lease
from triage.domain.ports import Clock, Failpoint, LeasedCase


def leased_case(
    database: Database, lease: Lease, clock: Clock, failpoint: Failpoint, raw_mails: RawMails, put: Put
) -> LeasedCase:
    """The eight ports of one leased case; all their writes pass the same fence."""
    fence = Fence(database, lease, clock, failpoint)
    return LeasedCase(
        cases=SqlCases(fence, raw_mails),
        journal=SqlJournal(fence),
        ledger=SqlLedger(fence, put),
        threads=SqlThreads(fence),
        throttle=SqlThrottle(fence),
        approvals=SqlCaseApprovals(fence),
        history=SqlCaseHistory(fence),
        dialogue=SqlCaseDialogue(fence),
    )
