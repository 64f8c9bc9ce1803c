"""The footer under everything that Triage writes to a ticket; a mail's body cannot imitate it."""

import html
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Final

from triage.domain.mail import Address, Trust
from triage.domain.visible import visible
from triage.policy.sender.lookalike import ALIKE
from triage.policy.ticket.markdown import literal

OPENING: Final = "From a mail by"
FOREIGN: Final = "(not by Triage) "
"""Stands before what looks like a line or a mark of ours."""
LONGEST_NAME: Final = 60
CACHED: Final = 4_096

_CHARACTER: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|.", re.DOTALL)
_MARK: Final = re.compile(
    r"(?<![\w-])(?=triage(?:\\?-|&(?:#0*45|#x0*2d|hyphen|dash);)[0-9a-f]{20}(?!\w))", re.IGNORECASE
)
"""The shape of a mark in Markdown: its hyphen may be escaped or an entity."""
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def footer(sender: Address | None, trust: Trust, received: datetime, case: str, apart: str = "") -> str:
    """Whose mail it was, how sure that is, and which case tells the story: one paragraph of Markdown."""
    sure = "" if trust is Trust.VERIFIED else f" (sender {trust})"
    beside = f" · answers the thread of {apart}, of which the sender is no part" if apart else ""
    return f"*{OPENING} {_named(sender)}{sure}, received {received:%Y-%m-%d %H:%M} UTC{beside} · {case}*"


def signed(body: str, line: str) -> str:
    """The body with our line as its last paragraph; lines and marks in it that look like ours say that they are not."""
    shown = _MARK.sub(FOREIGN, body)
    for place in reversed(list(_imitations(shown))):
        shown = shown[:place] + FOREIGN + shown[place:]
    return f"{shown}{_open_fence(shown)}\n\n{line}"


def _named(sender: Address | None) -> str:
    """The sender in words that end where they seem to end."""
    if sender is None:
        return "unknown sender"
    name = " ".join(sender.name.replace("·", " ").split())
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return literal(f"{short} <{sender.address}>" if short else sender.address)


def _imitations(text: str) -> Iterator[int]:
    """Where our opening words stand, whatever signs, entities, line ends or letters of the same look are in them."""
    letters = [(letter, place) for place, letter in _letters(text)]
    told = "".join(letter for letter, _ in letters)
    for found in re.finditer(re.escape("".join(letter for _, letter in _letters(OPENING))), told):
        yield letters[found.start()][1]


def _letters(text: str) -> Iterator[tuple[int, str]]:
    """Its letters as the eye takes them, each with its place."""
    for found in _CHARACTER.finditer(text):
        for letter in _looks(found.group()):
            yield found.start(), letter


@lru_cache(maxsize=CACHED)
def _looks(sign: str) -> str:
    """The letters that a character or an entity looks like."""
    plain = unicodedata.normalize("NFKD", html.unescape(visible(sign))).casefold().translate(ALIKE)
    return "".join(letter for letter in plain if letter.isalpha())


def _open_fence(text: str) -> str:
    """What closes a block of code that would go on over our line; empty where none is open."""
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
