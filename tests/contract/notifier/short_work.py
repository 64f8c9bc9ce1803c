"""The work on a case, cut down to its first and last step: for tests and benches of what starts it."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

from triage.domain.errors import NotAMail
from triage.domain.mail import Message
from triage.domain.ports import LeasedCase, no_failpoint
from triage.pipeline.context import Services
from triage.toolsets.context import Rules


class Reader:
    """Stands for all the work on a case: it takes so long, and until `held` is set; then the case is done."""

    def __init__(self, seconds: float = 0.0, held: asyncio.Event | None = None) -> None:
        self.seconds = seconds
        self.held = held or asyncio.Event()
        if held is None:
            self.held.set()
        self.begun: list[bytes] = []
        self.ended: list[bytes] = []
        self.at_once = 0
        self.most_at_once = 0

    async def read(self, raw: bytes) -> Message:
        """As `MailReader.read`; what is no mail ends at once in quarantine."""
        self.begun.append(raw)
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await asyncio.sleep(self.seconds)
            await self.held.wait()
        finally:
            self.at_once -= 1
        self.ended.append(raw)
        raise NotAMail("done")


def services(reader: Reader) -> Callable[[LeasedCase], Services]:
    """What the first and the last step of a case ask for."""

    def of_case(leased: LeasedCase) -> Services:
        ports = {name: getattr(leased, name) for name in ("cases", "ledger", "threads", "throttle", "approvals")}
        world = {
            "reader": reader,
            "tracker": SimpleNamespace(metadata=SimpleNamespace(calls=0)),
            "rules": Rules(),
            "failpoint": no_failpoint,
            "features": frozenset(),
        }
        at = SimpleNamespace(**ports, **world)
        at.within = lambda _project: at
        return cast("Services", at)

    return of_case
