"""Sends requests off the event loop: counts them, retries reads, sends writes once."""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Self, TypeVar

from cachetools import LRUCache

from integrations.jira.http.errors import JiraAnswer, read, well_formed
from integrations.jira.http.gate import Gate
from integrations.jira.http.wire import Body, JiraWire, Lost, Method, Params, Question
from integrations.jira.shapes import Site, id_of
from triage.domain.conversation import Json
from triage.domain.errors import TrackerBusy, TrackerDown, Transient, WriteUnconfirmed
from triage.domain.operations.figures import Durations
from triage.domain.ports import Failpoint
from triage.domain.tickets import Ticket

Sleep = Callable[[float], Awaitable[None]]
Send = Callable[[], JiraAnswer | Lost]
"""Sends one request, blocking."""

_TRIES: Final = 3
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
"""Longest wait in seconds for one read in all; beyond it the error postpones the job."""

_TICKETS: Final = 1000
"""Most tickets that are kept, some megabytes."""

_Result = TypeVar("_Result")


@dataclass
class SharedState:
    """Facts about this Jira, shared by all views of the wire."""

    site: Site | None = None
    me: str = ""
    """The id of our account; empty until asked."""
    seen: set[str] = field(default_factory=set)
    """Projects of which a search has returned a ticket, so that they are not empty."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    gate: Gate = field(default_factory=Gate)
    tickets: LRUCache[str, tuple[Json, Ticket]] = field(default_factory=lambda: LRUCache(_TICKETS))
    """What searches have returned, by key: an issue's fields without its description, and the ticket made of all."""
    requests: defaultdict[tuple[str, ...], Durations] = field(default_factory=lambda: defaultdict(Durations))
    """Durations of all requests so far, by method and status, `lost` where no answer came."""


class JiraSession:
    """Requests over a shared wire, with own counters; raises only our errors."""

    def __init__(self, wire: JiraWire, *, sleep: Sleep, failpoint: Failpoint, known: SharedState | None = None) -> None:
        self._wire = wire
        self._sleep = sleep
        self._failpoint = failpoint
        self.known = known or SharedState()
        self.calls = 0
        self.sent = 0
        """Write requests sent."""

    def view(self) -> Self:
        """Return a session with the same wire and facts whose counters start at zero."""
        return type(self)(self._wire, sleep=self._sleep, failpoint=self._failpoint, known=self.known)

    async def site(self) -> Site:
        """Return Cloud or Data Center and the URL; asked once."""
        async with self.known.asking:
            if self.known.site is None:
                await self._on_thread(self._wire.connect)
                info = await self._reading(
                    "GET", "api/2/serverInfo", "", partial(self._wire.ask, lambda jira: jira.server_info())
                )
                with well_formed("serverInfo"):
                    site = Site(cloud=info.get("deploymentType") == "Cloud", url=str(info["baseUrl"]).rstrip("/"))
                if site.cloud:
                    await self._on_thread(self._wire.connect, "3")
                self.known.site = site
            return self.known.site

    async def me(self) -> str:
        """Return the id of our account; asked once."""
        if not self.known.me:
            myself = await self.ask("myself", lambda jira: jira.myself())
            with well_formed("myself"):
                self.known.me = id_of(myself)
        return self.known.me

    async def read(
        self, method: Method, path: str, *, params: Params = None, body: Json = None, about: str = ""
    ) -> Json:
        """Return the JSON of a read, retried if the failure is transient. Raises as `errors.read`, and `TrackerBusy`."""
        versioned = await self._versioned(path)
        return await self._reading(
            method, versioned, about, partial(self._wire.exchange, method, versioned, params, body)
        )

    async def ask(self, path: str, question: Question, *, about: str = "") -> Json:
        """Return the JSON of a read by a public method of the `jira` package that sends one GET to `path`. Raises as `read` does."""
        return await self._reading("GET", await self._versioned(path), about, partial(self._wire.ask, question))

    async def write(self, method: Method, path: str, body: Body, params: Params = None) -> JiraAnswer:
        """Send one request once. Without an answer raises `TrackerDown` if it was not sent, else `WriteUnconfirmed`."""
        versioned = await self._versioned(path)
        await self._turn(method, versioned)
        self._failpoint("effect.on_wire")
        self.sent += 1
        answer = await self._exchange(method, versioned, partial(self._wire.exchange, method, versioned, params, body))
        if isinstance(answer, Lost):
            raise WriteUnconfirmed(detail=answer.detail) if answer.sent else TrackerDown(detail=answer.detail)
        self._failpoint("effect.answered")
        return answer

    async def close(self) -> None:
        await asyncio.to_thread(self._wire.close)
        await self.known.gate.close()

    async def _versioned(self, path: str) -> str:
        """Return the path below `/rest`; a leading slash marks another API with its own version, such as `/agile/1.0`."""
        site = await self.site()
        return path[1:] if path.startswith("/") else f"api/{3 if site.cloud else 2}/{path}"

    async def _reading(self, method: Method, path: str, about: str, send: Send) -> Json:
        """Read with retries: up to `_TRIES` after transient failures, none while the breaker is open.

        A rate limit counts as no failure, only its wait does: the search for a lost ticket on Data Center sends dozens
        of requests and must end under a limit.
        """
        failed, patience = 0, _LONGEST_PAUSE
        while True:
            try:
                await self._turn(method, path)
                answer = await self._exchange(method, path, send)
                if isinstance(answer, Lost):
                    raise TrackerDown(detail=answer.detail)
                return read(answer, about)
            except TrackerBusy as e:
                pause = _FIRST_PAUSE if e.retry_after is None else e.retry_after
                patience -= pause
                if patience < 0:
                    raise
            except Transient as e:
                failed += 1
                pause = _pause(failed) if e.retry_after is None else e.retry_after
                if failed == _TRIES or pause > _LONGEST_PAUSE or self.known.gate.trouble:
                    raise
            await self._sleep(pause)

    async def _turn(self, method: Method, path: str) -> None:
        """Wait for the rate limit. Raises the gate's error while requests are suspended."""
        gate = self.known.gate
        gate.check(method, path)
        if wait := await gate.shared_turn(method, path):
            await self._sleep(wait)
            gate.check(method, path)

    async def _exchange(self, method: Method, path: str, send: Send) -> JiraAnswer | Lost:
        self.calls += 1
        began = time.perf_counter()
        answer = await self._on_thread(send)
        status = "lost" if isinstance(answer, Lost) else str(answer.status)
        self.known.requests[method, status].add(time.perf_counter() - began)
        if pause := self.known.gate.heard(method, path, answer):
            await self.known.gate.share_pause(pause)
        return answer

    async def _on_thread(self, work: Callable[..., _Result], *args: Any) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._wire.threads, work, *args)


def _pause(attempt: int) -> float:
    """Return 0.5 s, doubled each time, with jitter so that workers do not retry together."""
    return _FIRST_PAUSE * (1 << (attempt - 1)) * random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, guards nothing
