"""Asks on a terminal: text, secrets, choices; `back`, `skip` and `quit` are answers everywhere."""

import getpass
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console

    from cli.doctor.findings import Finding

HINT: Final = "At every question: back, skip (this part), quit. Nothing is written before the end."
ROOM: Final = 20
"""Columns to type in."""
YES: Final = frozenset({"y", "yes"})
NO: Final = frozenset({"n", "no"})
KEEP: Final = "Enter keeps the one in the file"


class Back(Exception):  # noqa: N818 - an answer, nobody's error
    """The last question shall be asked again."""


class Skip(Exception):  # noqa: N818 - an answer, nobody's error
    """This part shall be left out."""


class Quit(Exception):  # noqa: N818 - an answer, nobody's error
    """All shall end, and nothing be written."""


TURNS: Final = {"back": Back, "skip": Skip, "quit": Quit}


class Asker:
    """One conversation. All questions raise `Back`, `Skip` and `Quit`; Ctrl-D is `quit`."""

    def __init__(
        self, out: "Console", line: Callable[[str], str] = input, hidden: Callable[[str], str] = getpass.getpass
    ) -> None:
        """`line` and `hidden` print a prompt and return what is typed."""
        self.out, self._read, self._read_hidden = out, line, hidden
        self.asked = 0
        """Questions so far."""
        with suppress(ImportError):
            import readline  # noqa: F401 - input() has arrow keys then

    def heading(self, text: str) -> None:
        """Begin a part."""
        self.out.print(f"\n{text}", style="bold")

    def say(self, text: str) -> None:
        """Print a remark, wrapped to the width of the terminal."""
        self.out.print(f"  {text}")

    def show(self, findings: "Sequence[Finding]") -> bool:
        """Print findings; return whether none failed."""
        from cli.doctor.findings import show

        return not show(findings, as_json=False, out=self.out)

    def text(self, question: str, default: str = "") -> str:
        """Return an answer without blanks around it; Enter takes the default, and is no answer without one."""
        while True:
            if (
                answer := self._typed(self._read, f"{question}{f' [{default}]' if default else ''}: ").strip()
                or default
            ):
                return answer

    def secret(self, question: str, kept: str = "") -> str:
        """Return what is typed without being shown; Enter keeps the one that is known."""
        while True:
            answer = (
                self._typed(self._read_hidden, f"{question} (not shown{f'; {KEEP}' if kept else ''}): ").strip() or kept
            )
            if answer.isprintable() and answer:
                return answer
            if answer:
                self.say("It has a control character in it: copy it again.")

    def choice(self, question: str, options: Sequence[tuple[str, str]], default: str, *, free: bool = False) -> str:
        """List (word, what it is) by number and return the word chosen by number or by itself; `free`: or any other."""
        width = max((len(word) for word, _ in options), default=0)
        for number, (word, told) in enumerate(options, 1):
            self.out.print(f"  {number:>2}  {word:<{width}}  {told}".rstrip(), soft_wrap=True)
        words = {word.casefold(): word for word, _ in options}
        while True:
            answer = self.text(question, default)
            if answer.isdecimal() and 0 < int(answer) <= len(options):
                return options[int(answer) - 1][0]
            if answer.casefold() in words or free:
                return words.get(answer.casefold(), answer)
            self.say(f"Answer with a number from 1 to {len(options)}.")

    def yes(self, question: str, *, default: bool) -> bool:
        """Return whether the answer is yes."""
        while True:
            answer = self.text(question, "yes" if default else "no").lower()
            if answer in YES | NO:
                return answer in YES
            self.say("Answer yes or no.")

    def _typed(self, read: Callable[[str], str], prompt: str) -> str:
        """Read one answer; on a narrow terminal, where little room is left to type, the question has lines of its own."""
        self.asked += 1
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
