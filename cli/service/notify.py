"""`triage notify`: sends a test message to each channel of NOTIFY_URLS."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Literal

import typer

from cli.console import print_json
from cli.verb import AsJson, load
from triage.domain.errors import SettingsInvalid


def notify(
    action: Annotated[Literal["test"], typer.Argument(help="`test`: send a message to each channel.")],
    as_json: AsJson = False,
) -> None:
    """Send a test message to each channel of NOTIFY_URLS.

    Exit code 1 if one of them does not take it.
    """
    del action
    troubles = asyncio.run(_test())
    if as_json:
        print_json(troubles)
    else:
        for name, trouble in troubles.items():
            typer.echo(f"{name}: {trouble or 'sent'}")
    raise typer.Exit(int(any(troubles.values())))


async def _test() -> "Mapping[str, str]":
    from cli.wiring.channels import open_notices

    settings = load()
    if not settings.notify_urls:
        raise SettingsInvalid(("NOTIFY_URLS: missing; name one URL for each channel, such as ntfys://ntfy.sh/topic",))
    async with open_notices(settings) as notices:
        return await notices.test()
