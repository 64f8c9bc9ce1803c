"""Somebody who answers the questions of the set-up."""

import io
from collections.abc import Iterator

from cli.console import SafeConsole
from cli.setup.terminal import Terminal
from triage.services.setup.asking import Asker


def asker(*answers: str, width: int = 100) -> Asker:
    """Somebody who answers so, one after the other; Ctrl-D when the answers are used up."""
    left: Iterator[str] = iter(answers)

    def read(prompt: str) -> str:
        del prompt
        for answer in left:
            return answer
        raise EOFError

    return Asker(Terminal(SafeConsole(file=io.StringIO(), width=width, markup=False, highlight=False), read, read))


def said(ask: Asker) -> str:
    """All that was printed."""
    assert isinstance(ask.screen, Terminal)
    file = ask.screen.out.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()
