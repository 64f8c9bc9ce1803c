"""Builds what the console asks about the support hub."""

from typing import TYPE_CHECKING

from integrations.system_clock import SystemClock
from triage.services.support.conversations import ConversationService
from web.context import SupportRoom

if TYPE_CHECKING:
    from cli.wiring.intake import IntakeContext


def support_of(context: "IntakeContext") -> SupportRoom | None:
    """Return the services; None without ENABLE_SUPPORT."""
    if not context.settings.enable_support:
        return None
    return SupportRoom(conversations=ConversationService(context.store.dialogues), now=SystemClock().now)
