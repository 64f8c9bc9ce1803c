"""Shows the questions of the set-up on a terminal; `back`, `skip` and `quit` are answers everywhere."""

import getpass
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from rich.console import Console
from rich.text import Text

from cli.doctor.findings import Finding, show
from triage.services.setup.asking import Back, Quit, SetupQuestion, Skip

HINT: Final = "At every question: back, skip (this part), quit. Nothing is written before the end."
ROOM: Final = 20
"""Columns to type in."""
KEEP: Final = "Enter keeps the one in the file"
TURNS: Final = {"back": Back, "skip": Skip, "quit": Quit}
COLOURS: Final = {"+": "green", "-": "red"}
Read = Callable[[str], str]


def _interruptible(read: Read) -> Read:
    """Let Ctrl-C end a reading at once: asyncio would hear it after the line."""

    def reading(prompt: str) -> str:
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return read(prompt)
        finally:
            signal.signal(signal.SIGINT, before)

    return reading


class Terminal:
    """A screen of lines. Ctrl-D is `quit`."""

    def __init__(self, out: "Console", line: Read = input, hidden: Read = getpass.getpass) -> None:
        """`line` and `hidden` print a prompt and return what is typed."""
        self.out, self._read, self._read_hidden = out, _interruptible(line), _interruptible(hidden)
        with suppress(ImportError):
            import readline  # noqa: F401 - input() has arrow keys then

    def heading(self, text: str) -> None:
        """Begin a part."""
        self.out.print(f"\n{text}", style="bold")

    def say(self, text: str) -> None:
        """Print a remark, wrapped to the width of the terminal."""
        self.out.print(f"  {text}")

    def link(self, address: str) -> None:
        """Print an address, which is not wrapped, so that it can be copied."""
        self.out.print(address, soft_wrap=True)

    def show(self, findings: "Sequence[Finding]") -> None:
        """Print findings with their cures."""
        show(findings, as_json=False, out=self.out)

    def difference(self, lines: Sequence[str]) -> None:
        """Print a unified diff in colours."""
        for line in lines:
            self.out.print(Text(line, COLOURS.get(line[:1], "")), soft_wrap=True)

    async def ask(self, question: SetupQuestion) -> str:
        """Read one answer; nothing else runs meanwhile."""
        if question.kind == "choice" and not question.again:
            self._list(question.options)
        if question.kind == "secret":
            kept = f"; {KEEP}" if question.kept else ""
            return self._typed(self._read_hidden, f"{question.text} (not shown{kept}): ")
        default = f" [{question.default}]" if question.default else ""
        return self._typed(self._read, f"{question.text}{default}: ")

    def _list(self, options: Sequence[tuple[str, str]]) -> None:
        width = max((len(word) for word, _ in options), default=0)
        for number, (word, meaning) in enumerate(options, 1):
            self.out.print(f"  {number:>2}  {word:<{width}}  {meaning}".rstrip(), soft_wrap=True)

    def _typed(self, read: Read, prompt: str) -> str:
        """Read one answer; on a narrow terminal, where little room is left to type, the question has lines of its own."""
        if len(prompt) > self.out.width - ROOM:
            self.out.print(prompt.rstrip())
            prompt = "> "
        try:
            answer = read(prompt)
        except EOFError:
            raise Quit from None
        if turn := TURNS.get(answer.strip().lower()):
            raise turn
        return answer
