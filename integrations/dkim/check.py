"""The port `SignatureCheck`: verifies DKIM signatures in time, else answers `none`."""

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Final

from loguru import logger
from pydantic import TypeAdapter, ValidationError

from integrations.dkim.keys import Keys, NoAnswer
from integrations.dkim.signatures import SignatureCandidate, candidates
from integrations.parser_process.process import Child, ChildDied
from integrations.parser_process.wire import MESSAGE
from triage.domain.errors import ReaderDown
from triage.domain.mail import Signature

SECONDS: Final = 30.0
"""Time limit for all signatures of one mail, DNS included."""
LARGEST: Final = 25_000_000
"""Largest mail in bytes to verify: the library keeps several copies in memory."""
KEPT: Final = 2_000_000
"""Largest request in bytes after which the child process is reused."""
MAILS: Final = 500
COMMAND: Final = (sys.executable, "-S", "-P", "-m", "integrations.dkim.child")
VERIFY: Final = b"V"

_ANSWER: Final = TypeAdapter(list[dict[str, str]])


class DkimCheck:
    """The port `SignatureCheck`: verifies in one child process, started for the first signature; mails take turns."""

    def __init__(
        self,
        nameserver: tuple[str, int] | None = None,
        *,
        command: Sequence[str] = COMMAND,
        seconds: float = SECONDS,
    ) -> None:
        """`nameserver` is (address, port); None: the system's resolver. Raises `SettingsInvalid`."""
        self._keys, self._command, self._seconds = Keys(nameserver), tuple(command), seconds
        self._turn = asyncio.Lock()
        self._child: Child | None = None

    async def check(self, raw: bytes, domain: str) -> tuple[Signature, ...]:
        """Verify the signatures that `candidates` finds; too large a mail, a timeout or a dead child gives `none`."""
        found = candidates(raw, domain)
        if not found or len(raw) > LARGEST:
            return tuple(_unknown(one, "the mail is too large") for one in found)
        try:
            async with asyncio.timeout(self._seconds):
                records = await asyncio.gather(*map(self._record, found))
                return await self._verified(raw, found, records)
        except (TimeoutError, ChildDied, ReaderDown) as e:
            logger.warning("dkim.broke", domain=domain, why=str(e) or type(e).__name__, size=len(raw))
            return tuple(_unknown(one, "it could not be verified in time") for one in found)

    async def ready(self) -> str:
        """Return why DNS lookups fail; empty if DNS answers, also with "no such name"."""
        try:
            await self._keys.find("ready._domainkey.example.com")
        except NoAnswer as e:
            return str(e)
        return ""

    async def close(self) -> None:
        """End the child process."""
        async with self._turn:
            await self._let_go()

    async def _record(self, one: SignatureCandidate) -> bytes | Signature:
        """Return the key's TXT record, or the signature's result if there is none."""
        try:
            record = await self._keys.find(one.name)
        except NoAnswer as e:
            return _unknown(one, f"DNS does not say its key ({e})")
        return record or Signature(domain=one.domain, result="permerror", why="it has no key in DNS")

    async def _verified(
        self, raw: bytes, found: Sequence[SignatureCandidate], records: Sequence[bytes | Signature]
    ) -> tuple[Signature, ...]:
        known = [(one, record) for one, record in zip(found, records, strict=True) if isinstance(record, bytes)]
        without = [record for record in records if isinstance(record, Signature)]
        results = await self._asked_child(raw, known) if known else []
        return (*results, *without)

    async def _asked_child(self, raw: bytes, known: Sequence[tuple[SignatureCandidate, bytes]]) -> list[Signature]:
        """Let the child verify. Raises `ChildDied` (also for an invalid answer) and `ReaderDown`."""
        wanted = [
            {"place": one.place, "domain": one.domain, "selector": one.selector, "record": record.decode("latin-1")}
            for one, record in known
        ]
        payload = json.dumps(wanted).encode() + b"\n" + raw
        async with self._turn:
            kind, answer = await self._asked(payload)
        try:
            results = _ANSWER.validate_json(answer) if kind == MESSAGE else []
            return [
                Signature(domain=one.domain, result=outcome["result"], why=outcome["why"])
                for (one, _), outcome in zip(known, results, strict=True)
            ]
        except (ValidationError, ValueError, KeyError) as e:
            raise ChildDied("an answer that is none") from e

    async def _asked(self, payload: bytes) -> tuple[bytes, bytes]:
        """Send one request to the child; keep the child for the next one unless it did `MAILS` or this one was large."""
        child = self._kept() or await Child.start(self._command)
        answer = await child.ask(VERIFY, payload, self._seconds)
        if child.mails < MAILS and len(payload) <= KEPT:
            self._child = child
        else:
            await child.end()
        return answer

    def _kept(self) -> Child | None:
        """Take the kept child if it is alive; the caller owns it until it is kept again."""
        child, self._child = self._child, None
        if child and not child.alive:
            child.hang_up()
            return None
        return child

    async def _let_go(self) -> None:
        if self._child:
            await self._child.end()
            self._child = None


def _unknown(one: SignatureCandidate, why: str) -> Signature:
    """Return the result `none`: neither a proof nor a failure."""
    return Signature(domain=one.domain, result="none", why=why)
