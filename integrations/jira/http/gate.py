"""Paces requests to Jira: rate limits, Retry-After, and a breaker while Jira is down.

Atlassian limits bursts per endpoint and method, and writes per ticket (20 in 2 s, 100 in 30 s); `RateLimit-Reason`
names the exceeded limit: https://developer.atlassian.com/cloud/jira/platform/rate-limiting/.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Final

from cachetools import TTLCache

from integrations.jira.http.errors import JiraAnswer, a_stranger, retry_after
from integrations.jira.http.wire import Lost
from integrations.request_pacer import RequestPacer
from triage.domain.errors import TrackerBusy, TrackerDenied, TrackerDown
from triage.domain.operations.limits import Allowance
from triage.domain.ports import RequestLimits

PATIENCE: Final = 2.0
"""Longest wait in seconds for the own rate limit; beyond it `TrackerBusy` postpones the job."""
UNTOLD: Final = 5.0
"""Seconds to wait after a 429 that names no time."""
FAILURES: Final = 5
"""Failures in a row that open the breaker; then single requests probe whether Jira is back."""
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0
LOCKED: Final = 30.0
"""Seconds between two tries with a refused login: Data Center demands a captcha after a few."""
LOOK: Final = 5.0
"""Seconds for one probing request before another one may try."""

_ALLOWED: Final = (
    ("issue ", (10.0, 1.5)),
    ("GET ", (50.0, 50.0)),
    ("POST ", (50.0, 50.0)),
    ("", (25.0, 25.0)),
)
"""Burst and rate per second, by prefix of the scope: about half of what Jira allows, to leave room for others."""
_EVERYWHERE: Final = ""
_ISSUE: Final = re.compile(r"/issue/([A-Z][A-Z0-9_]*-[0-9]+)(?=/|$)")
_NAMES: Final = re.compile(r"(?<=/)(?:[A-Z][A-Z0-9_]*-)?[0-9]+(?=/|$)")
_NO_SCOPE: Final = b"scope does not match"
"""Part of the 401 body for a token that lacks a scope; the token still works for other requests."""


@dataclass(frozen=True, slots=True)
class RequestPause:
    """What Jira asks for: no request of this scope for so many seconds."""

    scope: str
    seconds: float
    why: str


class Gate:
    """The rate limits and the breaker of one Jira, shared by all views. Not thread-safe: call from the event loop."""

    def __init__(self, now: Callable[[], float] = time.monotonic, limits: RequestLimits | None = None) -> None:
        self._now = now
        self._limits = limits
        self._pacers: TTLCache[str, RequestPacer] = TTLCache(maxsize=10_000, ttl=300, timer=now)
        self._held: dict[str, tuple[float, str]] = {}
        self._failures = 0
        self._shut: TrackerDown | TrackerDenied | None = None
        self._look_at = 0.0
        self._looking = False

    @property
    def trouble(self) -> str:
        """Why requests are suspended; empty while they are not."""
        return str(self._shut) if self._shut else ""

    def check(self, method: str, path: str) -> None:
        """Raise `TrackerBusy` while Jira's Retry-After runs, and the breaker's error while it is open."""
        now = self._now()
        for scope in (_EVERYWHERE, *_scopes(method, path)):
            until, why = self._held.get(scope, (0.0, ""))
            if until > now:
                raise TrackerBusy(retry_after=until - now, scope=why)
        if self._shut is not None:
            if now < self._look_at:
                raise _again(self._shut, self._look_at - now)
            self._look_at, self._looking = now + LOOK, True  # this request probes, the others get the error

    async def shared_turn(self, method: str, path: str) -> float:
        """As `turn`, under the limit that all processes share; under this one's part of it while the others cannot be asked."""
        if self._limits is None:
            return self.reserve(method, path)
        scopes = _scopes(method, path)
        allowances = [Allowance(scope, *_allowed(scope)) for scope in scopes]
        permit = await self._limits.take(allowances, (_EVERYWHERE, *scopes), PATIENCE)
        if permit is None:
            return self.reserve(method, path, self._limits.processes)
        if not permit.granted:
            raise TrackerBusy(retry_after=permit.wait, scope=permit.why or "our own limit")
        return permit.wait

    async def share_pause(self, pause: RequestPause) -> None:
        """Have the other processes pause, too."""
        if self._limits is not None:
            await self._limits.hold(pause.scope, pause.seconds, pause.why or "Retry-After")

    async def close(self) -> None:
        """Close the connection to what the processes share."""
        if self._limits is not None:
            await self._limits.close()

    def reserve(self, method: str, path: str, processes: int = 1) -> float:
        """Return the seconds to wait under our own rate limit. Raises `TrackerBusy` above `PATIENCE`."""
        now = self._now()
        pacers = [self._pacer(scope, now) for scope in _scopes(method, path)]
        wait = max(pacer.reserve(now, processes) for pacer in pacers)
        if wait > PATIENCE:
            for pacer in pacers:
                pacer.cancel()
            raise TrackerBusy(retry_after=wait, scope="our own limit")
        return wait

    def heard(self, method: str, path: str, answer: JiraAnswer | Lost) -> RequestPause | None:
        """Update limits and breaker from an answer; return the pause that it asks for, if any."""
        now = self._now()
        if isinstance(answer, Lost):
            self._failed(now, answer.detail)
        elif answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            return self._hold(now, method, path, answer)
        elif _locked_out(answer):
            self._shut = TrackerDenied(status=answer.status, detail="nothing is asked until the login works again")
            self._look_at, self._looking = now + LOCKED, False
        elif answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self._failed(now, f"{answer.status} at {method} {path}")
            if (wait := retry_after(answer.headers)) is not None:
                return self._pause(now, RequestPause(_EVERYWHERE, wait, "maintenance"))
        else:
            self._failures, self._shut, self._looking = 0, None, False
        return None

    def _failed(self, now: float, detail: str) -> None:
        if self._shut and not self._looking:
            return  # sent before the breaker opened: do not count it
        self._looking = False
        self._failures += 1
        if self._failures < FAILURES:
            return
        pause = min(FIRST_PAUSE * 2.0 ** min(self._failures - FAILURES, 10), LONGEST_PAUSE)
        self._shut = TrackerDown(detail=f"{self._failures} times in a row: {detail}")
        self._look_at = now + pause

    def _hold(self, now: float, method: str, path: str, answer: JiraAnswer) -> RequestPause:
        """Suspend the scope that the 429 names: the ticket, everything (quota), or the endpoint."""
        endpoint, *issue = _scopes(method, path)
        why = answer.headers.get("RateLimit-Reason", "")
        scope = issue[0] if issue and "per-issue" in why else _EVERYWHERE if "quota" in why else endpoint
        return self._pause(now, RequestPause(scope, _asked_pause(answer), why))

    def _pause(self, now: float, pause: RequestPause) -> RequestPause:
        self._held[pause.scope] = (now + pause.seconds, pause.why)
        return pause

    def _pacer(self, scope: str, now: float) -> RequestPacer:
        pacer = self._pacers.get(scope)
        if pacer is None:
            size, rate = _allowed(scope)
            pacer = self._pacers[scope] = RequestPacer(size=size, rate=rate, level=size, at=now)
        return pacer


def _allowed(scope: str) -> tuple[float, float]:
    """Return burst and rate per second of a scope."""
    return next(allowed for begin, allowed in _ALLOWED if scope.startswith(begin))


def _scopes(method: str, path: str) -> tuple[str, ...]:
    """Return the scopes of a request: its endpoint without ids, and for a write its ticket."""
    endpoint = f"{method} {_NAMES.sub('…', path)}"
    issue = _ISSUE.search(path)
    return (endpoint, f"issue {issue[1]}") if issue and method != "GET" else (endpoint,)


def _locked_out(answer: JiraAnswer) -> bool:
    """Tell whether Jira refuses our login altogether.

    Data Center also sends 401 for a missing permission, but without `WWW-Authenticate` (RFC 9110, 15.5.2).
    """
    asked_who = answer.status == HTTPStatus.UNAUTHORIZED and "WWW-Authenticate" in answer.headers
    captcha = bool(answer.headers.get("X-Authentication-Denied-Reason"))
    return (asked_who and _NO_SCOPE not in answer.body) or a_stranger(answer) or captcha


def _asked_pause(answer: JiraAnswer) -> float:
    """Return the seconds that a 429 asks for: `Retry-After`, else `X-RateLimit-Reset`, else `UNTOLD`."""
    wait = retry_after(answer.headers)
    if wait is not None:
        return wait
    try:
        reset = datetime.fromisoformat(answer.headers.get("X-RateLimit-Reset", ""))
        return min(max((reset - datetime.now(reset.tzinfo)).total_seconds(), 0.0), 3600.0)
    except ValueError:
        return UNTOLD


def _again(shut: TrackerDown | TrackerDenied, wait: float) -> TrackerDown | TrackerDenied:
    """Return a copy of the breaker's error, with `retry_after` if Jira is down."""
    if isinstance(shut, TrackerDenied):
        return TrackerDenied(status=shut.status, detail=shut.detail)
    down = TrackerDown(detail=shut.detail)
    down.retry_after = wait
    return down
