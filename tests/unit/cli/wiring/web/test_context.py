"""Services of the console and the API over one store."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import fields, is_dataclass
from pathlib import Path

from cli.wiring.intake import open_intake
from cli.wiring.operations import tokens_of
from cli.wiring.people.accounts import way_in_of
from cli.wiring.web.context import web_context
from tests.database import migrated
from triage.config.settings import Isolated, load


def clocks(service: object, name: str = "") -> Iterator[tuple[str, object]]:
    """The clocks of a service and of those that it asks, by place."""
    for field in fields(service) if is_dataclass(service) and not isinstance(service, type) else ():
        value, place = getattr(service, field.name), f"{name}.{field.name}"
        yield from [(place, value)] if field.name == "clock" else clocks(value, place)


async def test_who_asks_the_store_has_its_clock(tmp_path: Path) -> None:
    """What the store dates by its server's time is compared with that time, whatever the clock of the host says."""
    url = f"sqlite:///{migrated(tmp_path / 'triage.db')}"
    mail = {"SMTP_HOST": "mail.example.com", "MAIL_FROM": "triage@example.com"}
    async with (
        open_intake(load(Isolated, DATABASE_URL=url, ENABLE_SUPPORT=True, **mail)) as context,
        AsyncExitStack() as later,
    ):
        tokens = tokens_of(context.store)
        services = web_context(context, tokens, later, asyncio.Event(), None)
        found = [*clocks(services), *clocks(way_in_of(context, tokens, b"secret", None, later))]

    assert len(found) > 10
    assert [place for place, clock in found if clock is not context.store.clock] == []
