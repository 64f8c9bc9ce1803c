"""The section `mcp_servers` of triage.yaml: servers of tools, and which of their tools may be used, as they were when confirmed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from triage.config.agents.profiles import DEFAULTS
from triage.config.shapes.base import Form, Shape, Some
from triage.domain.conversation import Grant


class McpToolSpec(Shape):
    """One tool of a server that may be used."""

    grant: Grant
    asks: bool = False
    """A person decides each call."""
    refunds: bool = False
    """Of a tool that `asks`: it pays a customer money back, so that the support hub's rules may propose a call."""
    sha256: Annotated[str, Form(r"^([0-9a-f]{64})?$", "write the SHA-256 as 64 digits 0 to 9 and a to f")] = ""
    """Of name, description and schema, as confirmed; empty: not yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class McpServerSpec:
    """One server: a program that speaks over its standard input and output, or an address."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    header: tuple[str, str] | None = None
    """Name of a header, and the file with its value."""
    timeout: float = DEFAULTS.timeout
    """Seconds of a call, the server's start included."""
    tools: Mapping[str, McpToolSpec]

    def headers(self) -> dict[str, str]:
        """Return the secret header, read now. Raises `OSError`, `UnicodeDecodeError`."""
        return {self.header[0]: Path(self.header[1]).read_text(encoding="utf-8").strip()} if self.header else {}


class HeaderShape(Shape):
    """A header whose value is a secret."""

    name: Annotated[str, Form(r"^[A-Za-z0-9-]+$", "write the name of a header, such as Authorization")]
    file: Some


class McpServerShape(Shape):
    """One entry of the section."""

    command: tuple[Some, ...] = ()
    url: Annotated[
        str,
        Form(
            r"^(https://\S+|http://(127\.0\.0\.1|localhost)[:/]\S*)?$",
            "write an address that begins with https://; http:// only on this machine, as http://127.0.0.1:8000/",
        ),
    ] = ""
    header: HeaderShape | None = None
    timeout: Annotated[float, Field(gt=0, le=600)] = DEFAULTS.timeout
    tools: Annotated[
        dict[
            Annotated[
                str,
                Form(r"^[A-Za-z][A-Za-z0-9_-]{0,63}$", "write the name of a tool: 64 letters, digits, _ and - at most"),
            ],
            McpToolSpec,
        ],
        Field(min_length=1),
    ]

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("give either `command` or `url`")
        if self.header and not self.url:
            raise ValueError("`header` goes with `url` alone")
        return self

    def spec(self, name: str) -> McpServerSpec:
        """Convert to the frozen `McpServerSpec`."""
        return McpServerSpec(
            name=name,
            command=self.command,
            url=self.url,
            header=(self.header.name, self.header.file) if self.header else None,
            timeout=self.timeout,
            tools=self.tools,
        )


McpServersShape = dict[
    Annotated[Some, Form(r"^[a-z0-9_-]+$", "write a name of small letters, digits, - and _")], McpServerShape
]
