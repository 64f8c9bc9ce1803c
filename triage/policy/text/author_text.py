"""Reduces a mail to its author's text: without signature, closing, disclaimer and names of pictures."""

from itertools import groupby
from typing import Final

from triage.domain.mail import PICTURE, Message
from triage.policy.text.sentences import folded, plain

LIMIT: Final = 20_000
"""Nobody writes more than this by hand; what follows is a log."""
SUBJECT_LIMIT: Final = 1_000
SHORT: Final = 60
AFTER_THANKS: Final = 8
"""`Thanks` on a line of its own ends a mail only when little follows."""

REGARDS: Final = folded("letter.regards")
THANKS: Final = folded("letter.thanks")
FROM: Final = folded("letter.from")
DISCLAIMERS: Final = folded("letter.small_print")
ENDS: Final = " ,.!;:-\t"


def spoken(text: str) -> str:
    """The first 20,000 characters up to the signature, without paragraphs of small print and names of pictures."""
    lines = PICTURE.sub("", text[:LIMIT]).splitlines()
    return "\n".join(_without_small_print(lines[: _end(lines)]))


def subject_of(message: Message) -> str:
    """The subject, cut to what a person would write."""
    return message.subject[:SUBJECT_LIMIT]


def _end(lines: list[str]) -> int:
    """The line where the writer stops speaking; never the first one that says something."""
    began = False
    for at, line in enumerate(lines):
        if began and (line.rstrip() == "--" or _closes(lines, at)):
            return at
        began = began or bool(line.strip())
    return len(lines)


def _closes(lines: list[str], at: int) -> bool:
    """`Kind regards`, also with a name or place behind it on the same line."""
    if len(lines[at]) > SHORT:
        return False
    bare = plain(lines[at]).strip(ENDS)
    head = bare.partition(",")[0]
    for word in FROM:
        head = head.partition(f" {word} ")[0]
    return head in REGARDS or (bare in THANKS and _little_follows(lines, at + 1))


def _little_follows(lines: list[str], start: int) -> bool:
    told = [line for line in lines[start : start + 3 * AFTER_THANKS] if line.strip()]
    ends = len(lines) <= start + 3 * AFTER_THANKS
    return ends and len(told) <= AFTER_THANKS and all(len(line) <= SHORT for line in told)


def _without_small_print(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for _, group in groupby(lines, key=lambda line: bool(line.strip())):
        paragraph = list(group)
        folded = plain(" ".join(paragraph))
        if not (len(folded) > 2 * SHORT and any(words in folded for words in DISCLAIMERS)):
            kept += paragraph
    return kept
