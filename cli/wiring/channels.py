"""Builds the ways to people from the settings: notices and the channels that carry them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.domain.errors import SettingsInvalid
from triage.domain.ports import Notify
from triage.services.channels.notices import Notices

if TYPE_CHECKING:
    from cli.wiring.intake import IntakeContext
    from integrations.sql.store import SqlStore
    from triage.services.channels.conditions import Conditions

NO_EXTRA = "NOTIFY_URLS: the extra `notify` is not installed; install it: uv sync --extra notify"


def channels_of(settings: Settings) -> tuple[Notify, ...]:
    """Build the channels of NOTIFY_URLS; empty if it is. Raises `SettingsInvalid`."""
    urls = settings.notify_urls.get_secret_value().split()
    if not urls:
        return ()
    try:
        from integrations.notify import apprise_channel
    except ModuleNotFoundError:
        raise SettingsInvalid((NO_EXTRA,)) from None
    return apprise_channel.channels_of(urls)


def notices_of(settings: Settings, store: "SqlStore") -> Notices:
    """Build the service that tells people. Raises `SettingsInvalid`."""
    return Notices(store=store.notices, clock=SystemClock(), channels=channels_of(settings))


def conditions_of(context: "IntakeContext", notices: Notices) -> "tuple[Conditions, ...]":
    """Build the watch over what people must hear; empty, and nothing loaded, without channels."""
    if not notices.channels:
        return ()
    from triage.services.channels.conditions import Conditions

    store = context.store
    return (
        Conditions(
            notices=notices,
            health=context.health,
            troubles=store.notices,
            archive=store.archive,
            clock=SystemClock(),
        ),
    )


@asynccontextmanager
async def open_notices(settings: Settings) -> AsyncIterator[Notices]:
    """Open the service alone, for `triage notify`. Raises `SettingsInvalid`."""
    from cli.wiring.store import opened_store, set_up_log
    from triage.domain.ports import no_failpoint

    set_up_log(settings, service=False)
    async with opened_store(settings, no_failpoint) as store:
        yield notices_of(settings, store)
