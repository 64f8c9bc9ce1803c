"""Tools from outside: what they get to know of a case, their HTTP client, and the bounded place where their calls run."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from triage.domain.mail import Address, Trust
from triage.domain.ports.runtime import Clock
from triage.domain.untrusted import NOTHING, Untrusted

Json = Any
"""Any value that JSON can hold."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A whole answer."""

    status: int
    body: bytes = field(repr=False)

    def json(self) -> Json:
        """The body as JSON. Raises `ValueError`."""
        return json.loads(self.body)


class Http(Protocol):
    """HTTP for one call of a tool; called by tools from outside. Redirects are not followed."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Json = None,
    ) -> HttpAnswer:
        """Send one request, with `body` as JSON if there is one. Raises `OutsideFailed` without a whole answer of usual size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideContext:
    """The first argument of every tool from outside: who asks and about what, never the store and never the tracker."""

    case: str
    """`case-17`."""
    sender: Address | None
    """The author that the mail names; None if it names none."""
    trust: Trust
    """How far that author is proven."""
    subject: Untrusted = NOTHING
    once: str = ""
    """Key of a call that writes or sends, equal for every try of the same call; empty for a call that reads."""
    data_dir: Path
    """Folder of the tool's package, made before the call; nobody else writes there."""
    options: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """What the admin tells the tool in triage.yaml (`tools.NAME.options`)."""
    clock: Clock
    http: Http


class Isolation(Protocol):
    """The place where calls of tools from outside run; called by the outside toolset."""

    async def run(self, tool: str, call: Callable[[Http], Any], seconds: float) -> str:
        """Return what the call returns (or what its coroutine does), as JSON text.

        Raises the `ToolRefused` that the call raises, and `OutsideFailed` for any other exception, for an answer that
        is no JSON and for a call that does not end in time. Never blocks longer, whatever the call does.
        """
