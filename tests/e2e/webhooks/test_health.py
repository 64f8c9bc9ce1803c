"""How mailboxes do stands in `/health/ready`, beside whether the door is open and without a say in it."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import httpx2

from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.e2e.webhooks.webhook_door import Door, HandClock, MemoryStore
from tests.servers.dovecot import PASSWORD, Person, mail
from tests.servers.proxy import FaultProxy
from triage.domain.approvals import Pause
from triage.domain.errors import StoreDown
from triage.services.health import MailboxHealth
from triage_sandbox.server import Served
from webhooks.app import web_app
from webhooks.health import HealthChecks


async def test_stalled_and_recovered(installation: Installation, person: Person) -> None:
    """Fetching, stalled while the mail server is away, recovered once all is here; the door is ready all the time."""
    async with FaultProxy(person.server.imap) as proxy:
        installation.extra = {
            "PORT": "0",
            "IMAP_HOST": "127.0.0.1",
            "IMAP_PORT": str(proxy.port),
            "IMAP_TLS": "none",
            "IMAP_USER": person.name,
            "IMAP_PASSWORD": PASSWORD,
        }
        with running(installation, "serve") as serve:
            url = await asyncio.to_thread(lambda: serve.url)
            well = await _mailbox(url, "idle")
            proxy.cut_after = 5
            proxy.hang_up()
            ill = await _mailbox(url, "stalled")
            person.deliver(mail(1))
            proxy.cut_after = None
            again = await _mailbox(url, "recovered")

    assert [(at["name"], at["well"]) for at in (well, ill, again)] == [
        (person.name, True),
        (person.name, False),
        (person.name, True),
    ]
    # A complete fetch is dated by its beginning, before the phase changes.
    assert ill["since"] <= again["since"]
    assert ill["complete_at"] <= again["complete_at"]
    assert "closed" not in str(ill)


async def _mailbox(url: str, state: str) -> dict[str, Any]:
    """What is told of the one mailbox as soon as it is in this state; the door is open whatever it is in."""

    def look() -> dict[str, Any] | None:
        answer = httpx2.get(f"{url}/health/ready")
        assert (answer.status_code, answer.json()["ready"]) == (200, True)
        told: list[dict[str, Any]] = answer.json().get("mailboxes", [])
        return next((at for at in told if at["state"] == state), None)

    found: dict[str, Any] = await asyncio.to_thread(until, look)
    return found


def test_addresses_are_shortened(installation: Installation, person: Person) -> None:
    """A mailbox that is called by its address keeps it to itself: anybody can ask for health."""
    installation.extra = {
        "PORT": "0",
        "IMAP_HOST": "127.0.0.1",
        "IMAP_PORT": str(person.server.imap),
        "IMAP_TLS": "none",
        "IMAP_USER": "support@shop.example",
        "IMAP_PASSWORD": "wrong",
    }
    with running(installation, "serve") as serve:
        url = serve.url
        (told,) = until(lambda: httpx2.get(f"{url}/health/ready").json().get("mailboxes"), serve)

    assert (told["name"], told["state"], told["well"]) == ("s…@shop.example", "stalled", False)


async def test_a_pause_is_shown() -> None:
    """Anybody reads since when nothing is written, and nobody's name; mail is taken all the same."""

    async def pause() -> Pause:
        return Pause(
            by="grace@harbourline.example", why="the wrong project", since=datetime(2026, 11, 22, 9, tzinfo=UTC)
        )

    door = Door("", HandClock(), MemoryStore())
    app = web_app(_never, [], HealthChecks(door.ready, pause=pause), 1000)
    with Served(app, lifespan="off") as served:
        async with httpx2.AsyncClient(base_url=served.url) as client:
            ready = await client.get("/health/ready")

    assert (ready.status_code, ready.json()["paused_since"]) == (200, "2026-11-22T09:00:00+00:00")
    assert "grace" not in ready.text


async def test_nobody_can_tell() -> None:
    """Where mailboxes cannot be asked about, the door is open all the same; a balancer that asks for the head gets one."""

    async def mailboxes() -> list[MailboxHealth]:
        raise StoreDown("/srv/triage.db is locked")

    door = Door("", HandClock(), MemoryStore())
    app = web_app(_never, [], HealthChecks(door.ready, mailboxes), 1000)
    with Served(app, lifespan="off") as served:
        async with httpx2.AsyncClient(base_url=served.url) as client:
            ready = await client.get("/health/ready")

            head = await client.head("/health/live")

    assert (ready.status_code, ready.json()) == (200, {"ready": True, "parts": {"database": True}})
    assert (head.status_code, head.content) == (200, b"")


_never: Any = None
"""An intake that no mail comes to."""
