"""Counts requests against Jira's rate limits: so many in so many seconds, per issue or per endpoint."""

import math
import re
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from triage_sandbox.jira.ground import tickets
from triage_sandbox.jira.ground.site import Site
from triage_sandbox.jira.ground.stamps import moment

Per = Literal["issue", "endpoint"]
Windows = Sequence[tuple[int, float]]
"""How many requests in how many seconds; all of them hold."""

_ISSUE: Final = re.compile(r"/rest/api/[^/]+/issue/([^/]+)")
_NAME: Final = re.compile(r"/(?:[A-Za-z][A-Za-z0-9_]*-)?\d+(?=/|$)")
"""A key or an id in a path: all issues share an endpoint."""
_BURST: Final = {"GET": 100, "POST": 100, "PUT": 50, "DELETE": 50}
_REASONS: Final = {"issue": "jira-per-issue-on-write", "endpoint": "jira-burst-based"}


def usual(per: Per, method: str) -> Windows:
    """Return the rate limits of Jira Cloud."""
    return ((20, 2), (100, 30)) if per == "issue" else ((_BURST.get(method, 50), 1),)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request is within its limit, and the headers that say so."""

    fits: bool
    limit: int
    remaining: int
    free: int
    """When the next one fits again, in milliseconds since 1970."""
    seconds: float
    reason: str

    def headers(self, site: Site, now: int) -> dict[str, str]:
        """Return the rate limit headers of this deployment; `Retry-After` only if the request is refused."""
        fields = {"X-RateLimit-Limit": str(self.limit), "X-RateLimit-Remaining": str(self.remaining)}
        wait = {} if self.fits else {"Retry-After": str(max(1, math.ceil((self.free - now) / 1000)))}
        if not site.cloud:
            rate = {"X-RateLimit-FillRate": str(self.limit), "X-RateLimit-Interval-Seconds": f"{self.seconds:g}"}
            return fields | rate | wait
        if self.fits:
            return fields
        reset = moment(self.free).isoformat(timespec="seconds").replace("+00:00", "Z")
        return fields | wait | {"X-RateLimit-Reset": reset, "RateLimit-Reason": self.reason}


class Limiter:
    """Counts requests per window."""

    def __init__(self, per: Per, windows: Windows = ()) -> None:
        self._per = per
        self._windows = windows
        self._seen: dict[tuple[str, ...], deque[int]] = defaultdict(deque)

    def take(self, site: Site, method: str, path: str) -> Verdict | None:
        """Count a request; None if this limit does not cover it. A refused request is not counted."""
        key = self._key(site, method, path)
        if key is None:
            return None
        now, windows = site.now(), self._windows or usual(self._per, method)
        seen = self._seen[key]
        longest = max(seconds for _, seconds in windows)
        while seen and seen[0] <= now - longest * 1000:
            seen.popleft()
        verdicts = [self._in(seen, now, window) for window in windows]
        verdict = min(verdicts, key=lambda each: (each.fits, each.remaining, -each.free))
        if verdict.fits:
            seen.append(now)
        return verdict

    def _in(self, seen: Sequence[int], now: int, window: tuple[int, float]) -> Verdict:
        count, seconds = window
        recent = [at for at in seen if at > now - seconds * 1000]
        free = recent[0] + round(seconds * 1000) if recent else now
        left = count - len(recent)
        return Verdict(left > 0, count, max(0, left - 1), free, seconds, _REASONS[self._per])

    def _key(self, site: Site, method: str, path: str) -> tuple[str, ...] | None:
        if self._per == "endpoint":
            return method, _NAME.sub("/*", path)
        found = _ISSUE.match(path) if method in {"POST", "PUT", "DELETE"} else None
        row = None if found is None else tickets.find(site.db, found[1])
        return None if row is None else (str(row["id"]),)
