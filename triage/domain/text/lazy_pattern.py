"""Compiles a regular expression when it is first used: one that holds a word list takes milliseconds, and a command needs few of them."""

import re
from collections.abc import Callable
from typing import Any, Final, cast

_PUBLIC: Final = tuple(name for name in dir(re.Pattern) if not name.startswith("_"))


def lazy_pattern(write: Callable[[], str], flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return what acts as the compiled form of the expression that `write` returns; it is written and compiled at the first use."""
    return cast("re.Pattern[str]", _LazyPattern(write, flags))


class _LazyPattern:
    """Takes over all methods of its pattern when the first one is asked for, so that later uses cost nothing more."""

    def __init__(self, write: Callable[[], str], flags: re.RegexFlag) -> None:
        self._write, self._flags = write, flags

    def __getattr__(self, name: str) -> Any:
        pattern = re.compile(self._write(), self._flags)
        vars(self).update((each, getattr(pattern, each)) for each in _PUBLIC)
        return getattr(pattern, name)
