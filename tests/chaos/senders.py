"""Bring mail in, by IMAP and by webhooks, and write down what was acknowledged: a provider gives up on no mail."""

import asyncio
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import httpx2
from imapclient import IMAPClient

from tests.chaos.mails import Mail
from tests.chaos.providers import Call, Caller
from tests.servers.dovecot import PASSWORD, Person

PAUSE: Final = (0.05, 0.4)
"""Seconds until the next try: hours in real life."""
REPEATED: Final = 0.1
"""Share of mails that are brought once more although they were acknowledged: the answer got lost on its way."""
AT_ONCE: Final = 4
"""Requests of one provider at the same time."""
OUTSIDE: Final = "Outside"
DONE: Final = "Done"
_UID: Final = re.compile(rb"APPENDUID \d+ (\d+)")


@dataclass(slots=True, eq=False)
class Delivery:
    """One mail on one way, and what we said to it."""

    way: str
    mail: Mail
    acknowledged: bool = False
    cases: set[str] = field(default_factory=set)
    """Those that our answers named."""
    tries: int = 0
    uid: int = 0
    """Of a mail that was put into a mailbox."""


@dataclass(eq=False)
class Post:
    """Dovecot: mails lie there until somebody takes them.

    A server mends what IMAP cannot say, such as NUL or a lone CR. So each mail takes a way round by a folder that nobody
    watches, and what it is then is what is sent.
    """

    person: Person
    way: str = "imap"
    deliveries: list[Delivery] = field(default_factory=list)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, mail: Mail) -> None:
        """Into the mailbox."""
        async with self._turn:
            self.deliveries.append(await asyncio.to_thread(self._put, mail))

    def _put(self, mail: Mail) -> Delivery:
        with self.person.client() as client:
            if not client.folder_exists(OUTSIDE):
                client.create_folder(OUTSIDE)
            outside = _number(client.append(OUTSIDE, mail.on_the_wire().raw))
            client.select_folder(OUTSIDE, readonly=True)
            [raw] = _fetched(client, [outside])
            uid = _number(client.append("INBOX", raw))
        return Delivery(self.way, Mail(mail.name, raw), tries=1, uid=uid)

    async def quiet(self) -> bool:
        """Everything has been taken away."""
        return await asyncio.to_thread(self.person.count) == 0

    @property
    def settings(self) -> dict[str, str]:
        """Of our watch; what is taken is moved, so that the server itself shows what we have said to have."""
        return {
            "IMAP_HOST": "127.0.0.1",
            "IMAP_PORT": str(self.person.server.imap),
            "IMAP_TLS": "none",
            "IMAP_USER": self.person.name,
            "IMAP_PASSWORD": PASSWORD,
            "IMAP_AFTER": f"move:{DONE}",
            "IMAP_POLL_SECONDS": "2",
        }

    def lying_in(self, folder: str) -> list[bytes]:
        """The mails of a folder as the server has them."""
        with self.person.client() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            uids = client.search()
            return [raw for some in _portions(uids) for raw in _fetched(client, some)]


def _number(said: bytes) -> int:
    found = _UID.search(said)
    assert found, f"the server does not say under which number it keeps the mail: {said!r}"
    return int(found[1])


def _portions(uids: list[int]) -> Iterable[list[int]]:
    return (uids[start : start + 100] for start in range(0, len(uids), 100))


def _fetched(client: IMAPClient, uids: list[int]) -> list[bytes]:
    return [items[b"BODY[]"] for items in client.fetch(uids, ["BODY.PEEK[]"]).values()]


@dataclass(eq=False)
class Hook:
    """A provider that calls our door, and tries again on anything but 2xx."""

    caller: Caller
    url: str
    chance: Random
    deliveries: list[Delivery] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    """Status codes; `none` where the connection broke or nobody listened."""
    _turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _under_way: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def way(self) -> str:
        """How it is called."""
        return self.caller.name

    async def send(self, mail: Mail) -> None:
        """From now on it is tried until it is acknowledged."""
        delivery = Delivery(self.way, mail)
        self.deliveries.append(delivery)
        task = asyncio.create_task(self._bring(delivery))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def quiet(self) -> bool:
        """Nothing is under way."""
        return not self._under_way

    async def stop(self) -> None:
        """Give up on the rest."""
        for task in (tasks := list(self._under_way)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _bring(self, delivery: Delivery) -> None:
        async with self._turn, httpx2.AsyncClient(base_url=self.url, timeout=15) as client:
            for _ in range(2 if self.chance.random() < REPEATED else 1):
                call = None
                while not await self._tried(client, delivery, call := self.caller.call(delivery.mail, call)):
                    await asyncio.sleep(self.chance.uniform(*PAUSE))

    async def _tried(self, client: httpx2.AsyncClient, delivery: Delivery, call: Call) -> bool:
        delivery.tries += 1
        try:
            answer = await client.post(f"/webhooks/{self.way}", content=call.body, headers=call.headers)
        except httpx2.HTTPError:
            self.answers["none"] += 1
            return False
        self.answers[str(answer.status_code)] += 1
        if not answer.is_success:
            return False
        delivery.acknowledged = True
        delivery.cases.update(answer.json()["cases"])
        return True


@dataclass(eq=False)
class Feed:
    """Hands mails out, in turns: one to the mailbox, one to a provider."""

    mails: deque[Mail]
    spare: Iterator[Mail]
    """Asked when there is none left: a process that waits for mail shall not wait in vain."""
    post: Post
    hooks: tuple[Hook, ...]
    _handed: int = 0

    async def release(self, count: int) -> None:
        """So many more, as far as there are any."""
        for _ in range(count):
            mail = self.mails.popleft() if self.mails else next(self.spare, None)
            if mail is not None:
                half, place = divmod(self._handed, 2)
                self._handed += 1
                await (self.hooks[half % len(self.hooks)] if place else self.post).send(mail)

    @property
    def senders(self) -> "tuple[Post | Hook, ...]":
        """Every way in."""
        return (self.post, *self.hooks)
