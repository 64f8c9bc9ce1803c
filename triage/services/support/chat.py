"""Chat messages: accepted by the same intake as mails, and answered to the waiting client."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from triage.config.routing.rule import RoutingRule
from triage.domain.mail import Received, Trust
from triage.domain.support.errors import NoChatRule
from triage.policy.support.chat_message import (
    NOBODY,
    SOURCE,
    SupportChatMessage,
    chat_accounts,
    chat_mail,
    chat_of,
    chat_rule,
)
from triage.services.case_reports import CaseReports
from triage.services.intake import Intake


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatService:
    """Called by `triage chat` and the console. Whoever may call it may speak for a customer."""

    intake: Intake
    reports: CaseReports
    rules: Callable[[], Sequence[RoutingRule]]
    """Returns the routing rules as they are now."""

    @property
    def accounts(self) -> tuple[str, ...]:
        """Accounts with a support route; empty if no rule routes to the hub."""
        return chat_accounts(self.rules())

    async def say(self, session: str, text: str, *, account: str = "", customer: str = "", by: str = "") -> str:
        """Take a message of a session and return its case; `by` is the colleague who asks as this customer.

        Raises `NoChatRule`, `TooLarge` and `StoreDown`.
        """
        if chat_rule(self.rules(), account) is None:
            raise NoChatRule(account)
        now, name = self.intake.clock.now(), uuid4().hex
        raw = chat_mail(session, name, text, customer=customer or NOBODY, account=account, at=now, asked_by=by)
        return await self.intake.accept(
            Received(source=SOURCE, source_id=f"{session}-{name}", raw=raw, at=now, verdict=Trust.VERIFIED)
        )

    async def message_of(self, case: str) -> SupportChatMessage | None:
        """Return the chat message of a case, None if it came by mail. Raises `CaseNotFound`, `MailGone`, `StoreDown`."""
        if (await self.reports.report(case)).case.source != SOURCE:
            return None
        return chat_of(await self.reports.raw(case))
