"""Shortens a text that has no room, visibly."""

from typing import Final

_LOOSE: Final = " \t\n,;:-"
"""Looks wrong before `…`."""


def truncated(text: str, longest: int, *, at_word: bool = False) -> str:
    """Return the text; if it is longer than `longest` characters, its beginning and `…`, at most as long as that.

    With `at_word` no word is cut, unless the text begins with a word that alone is too long.
    """
    if len(text) <= longest:
        return text
    head = text[: longest - 1]
    if at_word and not text[longest - 1].isspace():
        head = head.rpartition(" ")[0] or head
    return f"{head.rstrip(_LOOSE)}…"
