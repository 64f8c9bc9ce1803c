"""A set-up as a page shows it: what was said so far, and the question that waits for an answer."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeVar

from triage.domain.operations.checks import Finding
from triage.services.setup.asking import Back, Quit, SetupQuestion, Skip

T = TypeVar("T")
PATIENCE: Final = 1_800.0
"""Seconds after which a question that nobody answers ends the set-up."""
TURNS: Final = {"back": Back, "skip": Skip, "quit": Quit}
HIDDEN: Final = "••••••••"


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueEntry:
    """One thing that was said, or answered; secrets are never in it."""

    kind: Literal["say", "link", "finding", "difference", "answer"]
    text: str = ""
    answer: str = ""
    finding: Finding | None = None
    lines: tuple[str, ...] = ()


@dataclass(slots=True)
class DialoguePart:
    """What was said under one heading."""

    name: str
    entries: list[DialogueEntry] = field(default_factory=list)


class SetupDialogue:
    """The screen of one set-up; held by the process in memory alone."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.parts: list[DialoguePart] = []
        self.question: SetupQuestion | None = None
        """The one that waits; None: something is tried out, or all has ended."""
        self.number = 0
        """Of the question: a form that answers another one counts for nothing."""
        self.ended = ""
        """The last words; empty: it goes on."""
        self.seen = asyncio.Event()
        """Set when a browser has seen the last words."""
        self._patience = patience
        self._answer: asyncio.Future[str] | None = None
        self._still = asyncio.Event()
        self._stop: Callable[[], object] | None = None

    # --- as the conversation sees it --------------------------------------------------------------

    def heading(self, text: str) -> None:
        """Begin a part; one that is asked again goes on where it was."""
        if not self.parts or self.parts[-1].name != text:
            self.parts = [*(one for one in self.parts if one.name != text), DialoguePart(text)]

    def say(self, text: str) -> None:
        self._add(DialogueEntry(kind="say", text=text))

    def link(self, address: str) -> None:
        self._add(DialogueEntry(kind="link", text=address))

    def show(self, findings: Sequence[Finding]) -> None:
        for one in findings:
            self._add(DialogueEntry(kind="finding", finding=one))

    def difference(self, lines: Sequence[str]) -> None:
        """Keep a unified diff."""
        self._add(DialogueEntry(kind="difference", lines=tuple(lines)))

    async def ask(self, question: SetupQuestion) -> str:
        """Wait for an answer from the page. Raises `Back`, `Skip`, and `Quit`, also when nobody answers for long."""
        self._answer = asyncio.get_running_loop().create_future()
        self.question, self.number = question, self.number + 1
        self._still.set()
        try:
            async with asyncio.timeout(self._patience):
                answer = await self._answer
        except TimeoutError:
            raise Quit from None
        finally:
            self.question, self._answer = None, None
            self._still.clear()
        shown = HIDDEN if question.kind == "secret" else answer or question.default
        self._add(DialogueEntry(kind="answer", text=question.text, answer=shown))
        return answer

    async def stoppable(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do something that the page may stop while no question waits; None: it was stopped."""
        task = asyncio.create_task(work)
        self._stop = task.cancel
        try:
            await asyncio.wait({task})
        finally:
            self._stop = None
            task.cancel()
        return None if task.cancelled() else task.result()

    def end(self, words: str) -> None:
        self.ended = words
        self._still.set()

    # --- as the page sees it ----------------------------------------------------------------------

    def answered(self, number: int, text: str, turn: str = "") -> None:
        """Answer the question of this number, or turn elsewhere; while none waits, `quit` stops what is done."""
        if self._answer is None:
            if turn == "quit" and self._stop:
                self._stop()
            return
        if number != self.number or self._answer.done():
            return
        self._still.clear()
        if turn in TURNS:
            self._answer.set_exception(TURNS[turn]())
        else:
            self._answer.set_result(text)

    async def settled(self, seconds: float) -> None:
        """Wait until a question waits or all has ended, but no longer than this."""
        try:
            async with asyncio.timeout(seconds):
                await self._still.wait()
        except TimeoutError:
            pass

    @property
    def before(self) -> tuple[DialogueEntry, ...]:
        """The result of the last answer of the previous part, as long as nothing is answered in this one."""
        if len(self.parts) < 2 or any(one.kind == "answer" for one in self.parts[-1].entries):  # noqa: PLR2004 - this one and that one
            return ()
        entries = self.parts[-2].entries
        after = next((n for n in range(len(entries), 0, -1) if entries[n - 1].kind == "answer"), 0)
        return tuple(entries[after:])

    def _add(self, entry: DialogueEntry) -> None:
        if not self.parts:
            self.heading("Set-up")
        self.parts[-1].entries.append(entry)
