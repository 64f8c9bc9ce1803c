"""The port `Notify` by apprise: Slack, Teams, Telegram, ntfy, plain webhooks and others, each named by one URL."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from apprise import Apprise, NotifyFormat, NotifyType

from integrations.notify.chat_cards import CardChannel, layout_of
from triage.domain.channels.errors import ChannelDown
from triage.domain.channels.notices import Bulletin, NoticeSeverity
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import Notify

TYPES: Final = {
    NoticeSeverity.INFO: NotifyType.INFO,
    NoticeSeverity.WARNING: NotifyType.WARNING,
    NoticeSeverity.FAILURE: NotifyType.FAILURE,
}
SECONDS: Final = 60.0
"""Time that a channel has for one message; apprise waits 4 seconds each for connection and answer, and may split it."""


class AppriseChannel:
    """One URL of NOTIFY_URLS."""

    def __init__(self, number: int, url: str) -> None:
        """Raises `SettingsInvalid` for a URL that apprise does not understand; the text does not show it."""
        # apprise logs why a URL is wrong, with the URL; its lines for each message would only repeat ours.
        logging.getLogger("apprise").setLevel(logging.CRITICAL)
        self._apprise = Apprise()
        scheme = url.partition("://")[0]
        self.name = f"{scheme} (no. {number} of NOTIFY_URLS)"
        if not self._apprise.add(url):
            cure = "https://appriseit.com/services/ lists what each service needs"
            raise SettingsInvalid((f"NOTIFY_URLS: no. {number} ({scheme}://…) is no URL that apprise knows; {cure}",))

    async def send(self, bulletin: Bulletin) -> None:
        """Send by apprise, whose requests run in a thread. Raises `ChannelDown`."""
        sending = self._apprise.async_notify(
            title=bulletin.title,
            body=bulletin.body,
            notify_type=TYPES[bulletin.severity],
            body_format=NotifyFormat.TEXT,
            interpret_escapes=False,
        )
        try:
            taken = await asyncio.wait_for(sending, SECONDS)
        except (TimeoutError, OSError, TypeError) as e:
            raise ChannelDown(self.name, type(e).__name__) from None
        if not taken:
            raise ChannelDown(self.name, "the message was not accepted")


def channels_of(urls: Sequence[str]) -> tuple[Notify, ...]:
    """Build a channel for each URL. Raises `SettingsInvalid`."""
    return tuple(
        CardChannel(number, url, layout) if (layout := layout_of(url)) else AppriseChannel(number, url)
        for number, url in enumerate(urls, 1)
    )
