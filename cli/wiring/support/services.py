"""Builds the services of the support hub that the console uses."""

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.intake import IntakeContext
from triage.services.support.chat import ChatService
from triage.services.support.conversations import ConversationService
from web.context import SupportServices


def support_services_of(context: IntakeContext, live: LiveConfig) -> SupportServices | None:
    """Return the services of the support hub; None without ENABLE_SUPPORT."""
    if not context.settings.enable_support:
        return None
    return SupportServices(
        conversations=ConversationService(context.store.dialogues),
        chat=chat_of(context, live),
        now=context.store.clock.now,
    )


def chat_of(context: IntakeContext, live: LiveConfig) -> ChatService:
    """Return the service that takes chat messages; it reads the routing rules anew at each message."""
    return ChatService(intake=context.intake, reports=context.reports, rules=lambda: live.latest().rules)
