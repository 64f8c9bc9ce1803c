"""Defines faults that tests inject, and decides which fault a request meets."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from triage_sandbox.jira.gate.limits import Limiter, Per
from triage_sandbox.jira.ground.site import Site

Effect = Literal[
    "answer",
    "delay",
    "reset",
    "reset_after",
    "timeout_after",
    "truncate",
    "login_page",
    "anonymous",
    "captcha",
    "repeat_token",
    "limit",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """From the `nth` request that matches on, `count` times (0: always), do this instead."""

    do: Effect
    """`reset` drops the connection before anything happens, `reset_after` when everything has happened, and
    `timeout_after` never answers then. `anonymous` takes good credentials for bad ones, `captcha` asks for a picture's
    letters first. `repeat_token`: a search tells of a next page, and it is this one again. `limit` counts requests.
    """
    method: str = "*"
    path: str = ".*"
    """A regular expression, searched for in the path."""
    nth: int = 1
    count: int = 1
    probability: float = 1
    """Of those requests, so many are hit; which ones follows from `seed`."""
    seed: int = 0
    after: int = 0
    """From this moment of the site's clock on, in milliseconds since 1970: how a token expires."""
    seconds: float = 0
    """Wait so long before anything else; timeout_after: before the connection is dropped, 0 for an hour."""
    status: int = 503
    """answer."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = ""
    """answer: text as it is, everything else as JSON."""
    carried_out: bool = False
    """answer, login_page, captcha: not instead of what was asked, but when it has happened."""
    per: Per = "issue"
    """limit: writes to one issue, or requests to one endpoint."""
    windows: tuple[tuple[int, float], ...] = ()
    """limit: how many requests in how many seconds; none for Cloud's own limits."""


FAULT: Final = TypeAdapter(Fault)
"""Reads a rule that somebody has written."""


class _Rule:
    """A fault with the number of requests it has matched. Raises `re.error` if its path is no regular expression."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self._path = re.compile(fault.path)
        self._seen = 0
        self._hit = 0
        self._dice = random.Random(fault.seed)  # noqa: S311 - the same dice for the same seed
        self._limiter = Limiter(fault.per, fault.windows) if fault.do == "limit" else None

    def meets(self, site: Site, method: str, path: str, headers: dict[str, str]) -> bool:
        """Count a matching request and tell whether the fault applies to it."""
        fault = self.fault
        if fault.method not in {"*", method} or not self._path.search(path) or site.now() < fault.after:
            return False
        if self._limiter is not None:
            verdict = self._limiter.take(site, method, path)
            headers |= {} if verdict is None else verdict.headers(site, site.now())
            return verdict is not None and not verdict.fits
        self._seen += 1
        if self._seen < fault.nth or (fault.count and self._hit >= fault.count):
            return False
        hit = self._dice.random() < fault.probability
        self._hit += hit
        return hit


class Faults:
    """The fault rules in force; the first that matches a request applies."""

    def __init__(self) -> None:
        self._rules: list[_Rule] = []

    def add(self, fault: Fault) -> None:
        """Add a rule. Raises `re.error` if its path is no regular expression."""
        self._rules.append(_Rule(fault))

    def clear(self) -> None:
        self._rules.clear()

    @property
    def listed(self) -> list[Fault]:
        return [rule.fault for rule in self._rules]

    def match(self, site: Site, method: str, path: str) -> tuple[Fault | None, dict[str, str]]:
        """Return the fault for a request, if any, and headers for its response."""
        headers: dict[str, str] = {}
        return next((rule.fault for rule in self._rules if rule.meets(site, method, path, headers)), None), headers
