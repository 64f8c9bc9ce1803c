"""The footer under everything that Triage writes to a ticket; a mail's body cannot imitate it."""

import html
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final

from triage.domain.mail import Address, Trust
from triage.domain.text.truncation import truncated
from triage.domain.text.visible import visible
from triage.domain.tickets import PANEL
from triage.policy.sender.lookalike import ALIKE
from triage.policy.ticket.markdown import literal

OPENING: Final = "From a mail by"
FOREIGN: Final = "(not by Triage) "
"""Stands before text of a mail that imitates our footer or a marker."""
LONGEST_NAME: Final = 60
CACHED: Final = 4_096

_CHARACTER: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|.", re.DOTALL)
_MARK: Final = re.compile(
    r"(?<![\w-])(?=triage(?:\\?-|&(?:#0*45|#x0*2d|hyphen|dash);)[0-9a-f]{20}(?!\w))", re.IGNORECASE
)
"""A marker in Markdown; its hyphen may be escaped or an entity."""
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def footer(sender: Address | None, trust: Trust, received: datetime, case: str, foreign_thread: str = "") -> str:
    """Render sender, trust, time and case as one paragraph of Markdown."""
    sure = "" if trust is Trust.VERIFIED else f" (sender {trust})"
    beside = f" · answers the thread of {foreign_thread}, of which the sender is no part" if foreign_thread else ""
    return f"*{OPENING} {_named(sender)}{sure}, received {received:%Y-%m-%d %H:%M} UTC{beside} · {case}*"


def signed(body: str, line: str) -> str:
    """Append the footer as the last paragraph; mark imitations of it in the body, as it will be seen, as foreign."""
    shown = _MARK.sub(FOREIGN, visible(body))
    for place in reversed(list(_imitations(shown))):
        shown = shown[:place] + FOREIGN + shown[place:]
    return f"{shown}{_open_fence(shown)}\n\n{line}"


def _named(sender: Address | None) -> str:
    """Render the sender, cut and escaped, so that a name cannot continue the sentence."""
    if sender is None:
        return "unknown sender"
    name = truncated(" ".join(sender.name.replace("·", " ").split()), LONGEST_NAME)
    return literal(f"{name} <{sender.address}>" if name else sender.address)


def _imitations(text: str) -> Iterator[int]:
    """Yield the places of our opening words and of our panel's title, through any signs, entities and look-alike letters."""
    if "&" not in text and not _OURS.search(text.translate(_LOOKS)):
        return
    letters = [(letter, place) for place, letter in _letters(text)]
    bare = "".join(letter for letter, _ in letters)
    for found in _OURS.finditer(bare):
        yield letters[found.start()][1]


def _letters(text: str) -> Iterator[tuple[int, str]]:
    """Yield the letters of a text as they look, each with its place."""
    for found in _CHARACTER.finditer(text):
        for letter in _looks(found.group()):
            yield found.start(), letter


@lru_cache(maxsize=CACHED)
def _looks(sign: str) -> str:
    """Return the letters that a character or an entity looks like."""
    plain = unicodedata.normalize("NFKD", html.unescape(visible(sign))).casefold().translate(ALIKE)
    return "".join(letter for letter in plain if letter.isalpha())


class _Looks(dict[int, str]):
    """Character → the character it looks like, for `str.translate`, which finds quickly that most texts hold no imitation."""

    def __missing__(self, code: int) -> str:
        """Look it up; it is not kept, since texts may hold a million different ones."""
        return _looks(chr(code))


_LOOKS: Final = _Looks({code: _looks(chr(code)) for code in range(128)})


def _open_fence(text: str) -> str:
    """Return what closes a code block that would swallow the footer; empty if none is open."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.fullmatch(line)
        if not found:
            continue
        if not fence:
            fence = found[1]
        elif found[1].startswith(fence) and not found[2].strip():
            fence = ""
    return f"\n{fence}" if fence else ""


_OURS: Final = re.compile("|".join("".join(letter for _, letter in _letters(ours)) for ours in (OPENING, PANEL)))
"""What only we write, by its letters."""
