"""Tools from outside: what they see of a case, their HTTP client, and the isolation in which their calls run."""

import hashlib
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
class Described:
    """A tool as its MCP server describes it; the model reads that, so an admin confirms it by its hash."""

    name: str
    description: str
    schema: Mapping[str, Json]
    """JSON schema of the arguments, an object."""

    @property
    def text(self) -> str:
        """All of it as canonical JSON."""
        whole = {"name": self.name, "description": self.description, "schema": self.schema}
        return json.dumps(whole, ensure_ascii=True, sort_keys=True, separators=(",", ":"))

    @property
    def sha256(self) -> str:
        """The hash in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def changed(server: str, tool: str, offered: Described | None) -> str:
    """Say that a tool is not what was confirmed, and how to confirm what it is now."""
    if offered is None:
        return f"the MCP server {server} offers no tool {tool}"
    return (
        f"{tool} of the MCP server {server} is not what was confirmed: look at its description, then write "
        f"mcp_servers.{server}.tools.{tool}.sha256: {offered.sha256}"
    )


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
