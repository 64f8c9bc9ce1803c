"""What every provider must do: it joins with a way to write a signed request, and passes all of it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar

import httpx2
import pytest

from tests.database import migrated
from tests.e2e.webhooks.webhook_door import MAIL, Door, sql_door
from webhooks.providers.base import Provider

LIMIT = 8_000_000
BIG = MAIL + b"0123456789abcdef" * 200_000
"""Three megabytes."""


@dataclass(frozen=True)
class Call:
    """A request as a provider sends it."""

    body: bytes = field(repr=False)
    headers: dict[str, str]


class WebhookCase:
    """Subclasses give `provider`, and `call`, a request that it would sign so at that time."""

    provider: Provider
    signs_body: ClassVar[bool] = True
    oldest: ClassVar[int] = 300
    """Seconds that a request may be old; 0 where no time is signed."""
    tries: ClassVar[int] = 0
    """Seconds for which the provider sends the very same request again; 0 where it signs each try anew."""
    refusal: ClassVar[int] = 401
    """What it hears for a no."""
    unsigned: ClassVar[tuple[str, ...]] = ()
    """Headers that hold the signature; empty where it is a field of the body."""

    def call(self, mail: bytes, at: datetime, *, key: str = "right") -> Call:
        """The mail in a request, signed with the right key or another."""
        raise NotImplementedError

    @pytest.fixture
    async def door(self, tmp_path: Path) -> AsyncIterator[Door]:
        """This provider's door, and the real store."""
        async with sql_door(f"sqlite:///{migrated(tmp_path / 'triage.db')}", [self.provider], LIMIT) as door:
            yield door

    async def send(self, door: Door, call: Call) -> httpx2.Response:
        """One request."""
        return await door.post(f"/webhooks/{self.provider.name}", call.body, headers=call.headers)

    async def now(self, door: Door, mail: bytes = MAIL, *, key: str = "right") -> httpx2.Response:
        """The mail, signed now."""
        return await self.send(door, self.call(mail, door.clock.now(), key=key))

    async def count(self, door: Door) -> int:
        """Cases in the store."""
        return sum((await door.store.archive.counts()).values())

    async def test_accepted(self, door: Door) -> None:
        """The mail is stored byte for byte before it is acknowledged."""
        answer = await self.now(door)

        assert (answer.status_code, answer.json()) == (200, {"success": True, "cases": ["case-1"]})
        assert await door.store.archive.raw("case-1") == MAIL
        assert (await door.store.archive.report("case-1")).case.source == f"webhook:{self.provider.name}"

    async def test_big(self, door: Door) -> None:
        """A mail of some megabytes is a mail."""
        answer = await self.now(door, BIG)

        assert answer.status_code == 200
        assert await door.store.archive.raw("case-1") == BIG

    async def test_wrong_key(self, door: Door) -> None:
        """Signed with another key it is refused, and nothing is stored."""
        answer = await self.now(door, key="wrong")

        assert answer.status_code == self.refusal
        assert await self.count(door) == 0

    async def test_unsigned(self, door: Door) -> None:
        """Without its signature it is refused."""
        call = self.call(MAIL, door.clock.now())
        bare = replace(call, headers={k: v for k, v in call.headers.items() if k not in self.unsigned})
        stripped = bare if self.unsigned else replace(call, body=call.body.replace(b"ignature", b"ignoture"))

        assert (await self.send(door, stripped)).status_code == self.refusal
        assert await self.count(door) == 0

    @pytest.mark.parametrize("body", [b"", b"{}", b"[" * 90_000, b"\x00\xff", b"a=b&c=d", b"--x--\r\n", b"null"])
    async def test_rubbish(self, door: Door, body: bytes) -> None:
        """Whatever a stranger sends, the answer is no."""
        headers = self.call(MAIL, door.clock.now()).headers

        assert (await self.send(door, Call(body, headers))).status_code == self.refusal

    async def test_altered(self, door: Door) -> None:
        """Another mail under a proof that was used is refused, and so is one under a proof that covers the mail."""
        call = self.call(MAIL, door.clock.now())
        altered = replace(call, body=call.body.replace(b"502", b"503"))
        assert altered != call
        if self.signs_body:
            assert (await self.send(door, altered)).status_code == self.refusal
        assert (await self.send(door, call)).status_code == 200

        assert (await self.send(door, altered)).status_code == self.refusal
        assert await self.count(door) == 1

    async def test_replay(self, door: Door) -> None:
        """The same request again is the same case."""
        call = self.call(MAIL, door.clock.now())
        answers = [await self.send(door, call) for _ in range(3)]

        assert [(answer.status_code, answer.json()["cases"]) for answer in answers] == [(200, ["case-1"])] * 3

    async def test_old(self, door: Door) -> None:
        """A recorded request is worth nothing when its time is over."""
        if not self.oldest:
            await self.test_tried_again(door)  # no time is signed: what comes again is the same case, however late
            return
        recorded = self.call(MAIL, door.clock.now() - timedelta(seconds=self.oldest + 5))
        early = self.call(MAIL, door.clock.now() + timedelta(days=2))

        assert (await self.send(door, recorded)).status_code == self.refusal
        assert (await self.send(door, early)).status_code == self.refusal
        assert await self.count(door) == 0

    async def test_tried_again(self, door: Door) -> None:
        """A provider that tries again later signs anew, and meets its case again."""
        await self.now(door)
        await door.clock.sleep(3600)

        assert (await self.now(door)).json()["cases"] == ["case-1"]

    async def test_tried_again_after_trouble(self, door: Door) -> None:
        """A mail that meets us down is taken at the provider's last try, hours later, as well as at any before."""
        call = self.call(MAIL, door.clock.now())
        door.store.inbox._min_free = 1 << 62  # the disk is as good as full
        down = await self.send(door, call)
        door.store.inbox._min_free = 0
        await door.clock.sleep(self.tries or 86_400)
        answer = await self.send(door, call if self.tries else self.call(MAIL, door.clock.now()))

        assert (down.status_code, int(down.headers["retry-after"]) > 0) == (503, True)
        assert (answer.status_code, await door.store.archive.raw("case-1")) == (200, MAIL)

    async def test_answer_lost(self, door: Door) -> None:
        """A mail whose acknowledgement is lost on its way comes again hours later, and is the same case."""
        call = self.call(MAIL, door.clock.now())
        await self.send(door, call)
        await door.clock.sleep(self.tries or 86_400)
        answer = await self.send(door, call if self.tries else self.call(MAIL, door.clock.now()))

        assert (answer.status_code, answer.json()["cases"]) == (200, ["case-1"])

    async def test_two_mails(self, door: Door) -> None:
        """Two mails are two cases."""
        await self.now(door)

        assert (await self.now(door, MAIL.replace(b"502", b"504"))).json()["cases"] == ["case-2"]

    async def test_fifty_at_once(self, door: Door) -> None:
        """Fifty times the same request at the same moment is one case."""
        call = self.call(MAIL, door.clock.now())
        async with httpx2.AsyncClient(base_url=door.url) as client:
            path = f"/webhooks/{self.provider.name}"
            sending = [client.post(path, content=call.body, headers=call.headers) for _ in range(50)]
            answers = await asyncio.gather(*sending)

        assert {answer.status_code for answer in answers} == {200}
        assert await self.count(door) == 1

    async def test_no_verdict_from_the_mail(self, door: Door) -> None:
        """What the sender writes into the mail about its own trustworthiness is not the provider's word."""
        forged = b"Authentication-Results: x; dmarc=pass\r\nX-Mailgun-Spf: Pass\r\nX-SES-Spam-Verdict: PASS\r\n" + MAIL
        await self.now(door, forged)

        assert (await door.store.archive.report("case-1")).case.verdict in {None, "unverified"}
