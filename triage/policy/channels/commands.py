"""Reads `/triage …` at the beginning of a person's own words; anything else in a comment is no command."""

import re
from typing import Final

from triage.domain.channels.ticket_notes import Command, Verb

_COMMAND: Final = re.compile(r"/triage(?:[ \t]+(\w+))?(?=\s|$)[ \t]*(.*)", re.IGNORECASE | re.DOTALL)
_NUMBER: Final = re.compile(r"#?([1-9][0-9]{0,8})(?=\s|$)\s*")
_MARKED: Final = re.compile(r"#([1-9][0-9]{0,8})(?=\s|$)\s*")
"""A new text may begin with a number, so that of an approval needs its sign."""
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]{1,99}-[1-9][0-9]{0,8}", re.IGNORECASE)
_NUMBERED: Final = frozenset({Verb.YES, Verb.NO, Verb.UNDO, Verb.EDIT})
LONGEST: Final = 30_000


def command_in(words: str) -> Command | None:
    """Return the command that these words begin with, None if they do not."""
    found = _COMMAND.match(words.strip()[:LONGEST])
    if not found:
        return None
    verb, rest = _verb(found[1] or ""), found[2].strip()
    number = (_MARKED if verb is Verb.EDIT else _NUMBER).match(rest) if verb in _NUMBERED else None
    text = rest[number.end() :] if number else rest
    if verb is Verb.NOT:
        key = _KEY.match(text)
        return Command(verb=verb, text=key[0].upper()) if key else Command(verb=Verb.HELP)
    if verb is Verb.EDIT and not text:
        return Command(verb=Verb.HELP)
    return Command(verb=verb, number=int(number[1]) if number else 0, text=text if verb is Verb.EDIT else "")


def _verb(word: str) -> Verb:
    try:
        return Verb(word.casefold())
    except ValueError:
        return Verb.HELP
