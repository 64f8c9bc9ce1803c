"""The interface of the set-up's questions: text, secrets, choices. A terminal or a page implements it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from triage.domain.operations.checks import Finding

YES: Final = frozenset({"y", "yes"})
NO: Final = frozenset({"n", "no"})
Kind = Literal["text", "secret", "choice", "yes"]


class Back(Exception):  # noqa: N818 - an answer, nobody's error
    """The last question shall be asked again."""


class Skip(Exception):  # noqa: N818 - an answer, nobody's error
    """This part shall be left out."""


class Quit(Exception):  # noqa: N818 - an answer, nobody's error
    """All shall end, and nothing be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupQuestion:
    """One question, as a screen shows it."""

    text: str
    kind: Kind = "text"
    default: str = ""
    """What an empty answer means; never a secret."""
    options: tuple[tuple[str, str], ...] = ()
    """Of a choice: (word, what it is)."""
    free: bool = False
    """A choice also accepts other text."""
    kept: bool = False
    """A secret is known already: an empty answer keeps it."""
    again: bool = False
    """The last answer was none."""


class Screen(Protocol):
    """Where questions are shown: a terminal, or a page."""

    def heading(self, text: str) -> None:
        """Begin a part."""

    def say(self, text: str) -> None:
        """Show a remark."""

    def link(self, address: str) -> None:
        """Show an address in one piece, to be opened in a browser."""

    def show(self, findings: Sequence[Finding]) -> None:
        """Show findings with their cures."""

    def difference(self, lines: Sequence[str]) -> None:
        """Show a unified diff."""

    async def ask(self, question: SetupQuestion) -> str:
        """Return the answer. Raises `Back`, `Skip` and `Quit`."""


class Asker:
    """One conversation. All questions raise `Back`, `Skip` and `Quit`."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.asked = 0
        """Questions so far."""

    def heading(self, text: str) -> None:
        """Begin a part."""
        self.screen.heading(text)

    def say(self, text: str) -> None:
        """Show a remark."""
        self.screen.say(text)

    def show(self, findings: Sequence[Finding]) -> bool:
        self.screen.show(findings)
        return not any(one.state == "fail" for one in findings)

    async def text(self, question: str, default: str = "") -> str:
        """Return an answer without blanks around it; an empty one takes the default, and is no answer without one."""
        asked = SetupQuestion(text=question, default=default)
        while not (answer := await self._answer(asked) or default):
            self.say("There is no answer to take over here: type one, or `skip` to leave this part out.")
            asked = replace(asked, again=True)
        return answer

    async def secret(self, question: str, kept: str = "") -> str:
        """Return a hidden answer; an empty one keeps the known value."""
        asked = SetupQuestion(text=question, kind="secret", kept=bool(kept))
        while True:
            answer = await self._answer(asked) or kept
            if answer.isprintable() and answer:
                return answer
            if answer:
                self.say("It has a control character in it: copy it again.")
            asked = replace(asked, again=True)

    async def choice(
        self, question: str, options: Sequence[tuple[str, str]], default: str, *, free: bool = False
    ) -> str:
        """Return the chosen option, given by number or name; `free`: any other text is accepted, too."""
        asked = SetupQuestion(text=question, kind="choice", default=default, options=tuple(options), free=free)
        words = {word.casefold(): word for word, _ in options}
        while True:
            answer = await self._answer(asked) or default
            if answer.isdecimal() and 0 < int(answer) <= len(options):
                return options[int(answer) - 1][0]
            if answer and (answer.casefold() in words or free):
                return words.get(answer.casefold(), answer)
            if answer:
                self.say(f"Answer with a number from 1 to {len(options)}.")
            asked = replace(asked, again=True)

    async def yes(self, question: str, *, default: bool) -> bool:
        asked = SetupQuestion(text=question, kind="yes", default="yes" if default else "no")
        while (answer := (await self._answer(asked) or asked.default).lower()) not in YES | NO:
            self.say("Answer yes or no.")
            asked = replace(asked, again=True)
        return answer in YES

    async def _answer(self, question: SetupQuestion) -> str:
        self.asked += 1
        return (await self.screen.ask(question)).strip()
