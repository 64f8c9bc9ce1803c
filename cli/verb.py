"""What verbs share: the option `--json`, the argument CASE, the settings, and a question to a service that is opened for it."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Generic, TypeVar

import typer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from triage.config.settings import Settings

Opened = TypeVar("Opened")
Answer = TypeVar("Answer")

AsJson = Annotated[bool, typer.Option("--json", help="For machines.")]
CaseName = Annotated[str, typer.Argument(help="17 or case-17.")]


def load() -> "Settings":
    """Return the settings of this process; to read them takes pydantic, which `--help` does without. Raises `SettingsInvalid`."""
    from triage.config import settings

    return settings.load()


@dataclass(frozen=True, slots=True)
class Service(Generic[Opened]):
    """A service of `cli/wiring`, by the function that opens it."""

    opened: "Callable[[Settings], AbstractAsyncContextManager[Opened]]"

    def ask(self, question: "Callable[[Opened], Awaitable[Answer]]") -> Answer:
        """Open it by the settings of this process, ask it, and close it. Raises `SettingsInvalid`, and what the service raises."""

        async def asked() -> Answer:
            async with self.opened(load()) as service:
                return await question(service)

        return asyncio.run(asked())
