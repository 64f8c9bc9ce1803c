"""Paces requests to Jira: rate limits, Retry-After, and a breaker while Jira is down.

Atlassian counts a burst by address and method, writes by ticket (20 in 2 s, 100 in 30 s), and tells in
`RateLimit-Reason` which of them was too much: https://developer.atlassian.com/cloud/jira/platform/rate-limiting/.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Final

from cachetools import TTLCache

from integrations.jira.http.errors import Answer, a_stranger, retry_after
from integrations.jira.http.wire import Lost
from triage.domain.errors import TrackerBusy, TrackerDenied, TrackerDown

PATIENCE: Final = 2.0
"""Seconds that a request waits its turn here; for longer ones the queue is the better place."""
UNTOLD: Final = 5.0
"""Seconds to wait where Jira says too much and not until when."""
FAILURES: Final = 5
"""In a row: then Jira is taken for down, and one request now and then looks whether it still is."""
FIRST_PAUSE: Final = 2.0
LONGEST_PAUSE: Final = 60.0
LOCKED: Final = 30.0
"""Seconds between two tries with a login that Jira refuses: a Data Center asks for a captcha after a few."""
LOOK: Final = 5.0
"""Seconds that the one who looks has, before another one may."""

_ALLOWED: Final = (
    ("issue ", (10.0, 1.5)),
    ("GET ", (50.0, 50.0)),
    ("POST ", (50.0, 50.0)),
    ("", (25.0, 25.0)),
)
"""At once and a second, about half of what Jira allows: its people and other bots want to work, too."""
_EVERYWHERE: Final = ""
_ISSUE: Final = re.compile(r"/issue/([A-Z][A-Z0-9_]*-[0-9]+)(?=/|$)")
_NAMES: Final = re.compile(r"(?<=/)(?:[A-Z][A-Z0-9_]*-)?[0-9]+(?=/|$)")
_NO_SCOPE: Final = b"scope does not match"
"""A token that lacks one scope gets 401 for that, and is welcome everywhere else."""


@dataclass(slots=True)
class Bucket:
    """So many at once, and so many a second in the long run."""

    size: float
    rate: float
    level: float
    at: float

    def turn(self, now: float) -> float:
        """Take a place; seconds until it is one's turn."""
        self.level = min(self.size, self.level + (now - self.at) * self.rate) - 1
        self.at = now
        return max(0.0, -self.level / self.rate)

    def leave(self) -> None:
        """Give the place back."""
        self.level += 1


class Gate:
    """Shared by all who use one connection. Not for several threads: it is asked from the event loop."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._buckets: TTLCache[str, Bucket] = TTLCache(maxsize=10_000, ttl=300, timer=now)
        self._held: dict[str, tuple[float, str]] = {}
        self._failures = 0
        self._shut: TrackerDown | TrackerDenied | None = None
        self._look_at = 0.0
        self._looking = False

    @property
    def trouble(self) -> str:
        """Why nothing goes through, empty while all is well."""
        return str(self._shut) if self._shut else ""

    def check(self, method: str, path: str) -> None:
        """May this request go at all? Raises `TrackerBusy` before its time, and what shut the gate while it is shut."""
        now = self._now()
        for scope in (_EVERYWHERE, *_scopes(method, path)):
            until, why = self._held.get(scope, (0.0, ""))
            if until > now:
                raise TrackerBusy(retry_after=until - now, scope=why)
        if self._shut is not None:
            if now < self._look_at:
                raise _again(self._shut, self._look_at - now)
            self._look_at, self._looking = now + LOOK, True  # this one looks, and the others are told

    def turn(self, method: str, path: str) -> float:
        """Seconds until it is this request's turn, few. Raises `TrackerBusy` where they would be many."""
        now = self._now()
        buckets = [self._bucket(scope, now) for scope in _scopes(method, path)]
        wait = max(bucket.turn(now) for bucket in buckets)
        if wait > PATIENCE:
            for bucket in buckets:
                bucket.leave()
            raise TrackerBusy(retry_after=wait, scope="our own limit")
        return wait

    def heard(self, method: str, path: str, answer: Answer | Lost) -> None:
        """Learn from what came back."""
        now = self._now()
        if isinstance(answer, Lost):
            self._failed(now, answer.detail)
        elif answer.status == HTTPStatus.TOO_MANY_REQUESTS:
            self._hold(now, method, path, answer)
        elif _locked_out(answer):
            self._shut = TrackerDenied(status=answer.status, detail="nothing is asked until the login works again")
            self._look_at, self._looking = now + LOCKED, False
        elif answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            self._failed(now, f"{answer.status} at {method} {path}")
            if (wait := retry_after(answer.headers)) is not None:
                self._held[_EVERYWHERE] = (now + wait, "maintenance")
        else:
            self._failures, self._shut, self._looking = 0, None, False

    def _failed(self, now: float, detail: str) -> None:
        if self._shut and not self._looking:
            return  # sent at the same time as those that shut it: no new trouble
        self._looking = False
        self._failures += 1
        if self._failures < FAILURES:
            return
        pause = min(FIRST_PAUSE * 2.0 ** min(self._failures - FAILURES, 10), LONGEST_PAUSE)
        self._shut = TrackerDown(detail=f"{self._failures} times in a row: {detail}")
        self._look_at = now + pause

    def _hold(self, now: float, method: str, path: str, answer: Answer) -> None:
        """Keep still where it was too much, and only there."""
        endpoint, *issue = _scopes(method, path)
        why = answer.headers.get("RateLimit-Reason", "")
        scope = issue[0] if issue and "per-issue" in why else _EVERYWHERE if "quota" in why else endpoint
        self._held[scope] = (now + _told(answer), why)

    def _bucket(self, scope: str, now: float) -> Bucket:
        bucket = self._buckets.get(scope)
        if bucket is None:
            size, rate = next(allowed for begin, allowed in _ALLOWED if scope.startswith(begin))
            bucket = self._buckets[scope] = Bucket(size=size, rate=rate, level=size, at=now)
        return bucket


def _scopes(method: str, path: str) -> tuple[str, ...]:
    """What a request is counted under: its address without names, and for a write its ticket."""
    endpoint = f"{method} {_NAMES.sub('…', path)}"
    issue = _ISSUE.search(path)
    return (endpoint, f"issue {issue[1]}") if issue and method != "GET" else (endpoint,)


def _locked_out(answer: Answer) -> bool:
    """Jira does not know us any more, whatever we ask. Data Center says 401 of a single permission, too, but only to
    strangers it tells how to log in (RFC 9110, 15.5.2).
    """
    asked_who = answer.status == HTTPStatus.UNAUTHORIZED and "WWW-Authenticate" in answer.headers
    captcha = bool(answer.headers.get("X-Authentication-Denied-Reason"))
    return (asked_who and _NO_SCOPE not in answer.body) or a_stranger(answer) or captcha


def _told(answer: Answer) -> float:
    """Seconds that we are asked to wait: as a number, as a date, or as the moment of the next allowance."""
    wait = retry_after(answer.headers)
    if wait is not None:
        return wait
    try:
        reset = datetime.fromisoformat(answer.headers.get("X-RateLimit-Reset", ""))
        return min(max((reset - datetime.now(reset.tzinfo)).total_seconds(), 0.0), 3600.0)
    except ValueError:
        return UNTOLD


def _again(shut: TrackerDown | TrackerDenied, wait: float) -> TrackerDown | TrackerDenied:
    """The same trouble for one more, with when to come again."""
    if isinstance(shut, TrackerDenied):
        return TrackerDenied(status=shut.status, detail=shut.detail)
    down = TrackerDown(detail=shut.detail)
    down.retry_after = wait
    return down
