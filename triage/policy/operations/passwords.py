"""Says which passwords are too easy to guess: by length and by how early they are tried, not by kinds of characters."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from zxcvbn_rs_py import zxcvbn

SHORTEST: Final = 12
LONGEST: Final = 1_000
"""Characters; a longer text would only cost time to hash."""
FEWEST: Final = 6
"""Different characters."""
LEAST: Final = 8.0
"""Guesses that a password needs, as a decimal logarithm: none of the 30,000 most common leaked ones needs more than 5."""
NAMED: Final = ((10.0, "fair"), (12.0, "good"))
"""What a password is called that needs fewer guesses than this; from the last on it is strong."""
ESTIMATED: Final = 100
"""Characters of which guesses are estimated."""
_TRIED: Final = """
    password passwort motdepasse contrasena qwertyuiop asdfghjkl zxcvbnm 1qaz2wsx3edc4rfv 1q2w3e4r5t6y q1w2e3r4t5y6
    abcdefghijkl iloveyou letmein welcome administrator admin changeme trustno sunshine princess football baseball dragon
    monkey superman batman master shadow correct horse battery staple triage jira mailbox support secret login
"""
COMMON: Final = frozenset(_TRIED.split())
"""Words that passwords for this product begin with; leaked ones are known to the estimate."""
TRIED: Final = "it is one of the first that are tried"
_PARTS: Final = re.compile(r"[^\W\d_]+")
_ROWS: Final = re.compile(r"(?:19|20)\d\d|0?123\d*")
"""Years and rows of figures, which stand at the end of many passwords."""
_AS_LETTERS: Final = str.maketrans("0134578@$", "oieastbas")


def normal(password: str) -> str:
    """Return the password as it is hashed: the same on every keyboard (NIST SP 800-63B, 5.1.1.2)."""
    return unicodedata.normalize("NFKC", password)


def why_weak(password: str, address: str, name: str) -> str:
    """Return why a password is not taken, empty if it is."""
    if len(password) < SHORTEST:
        return f"it has fewer than {SHORTEST} characters"
    if len(password) > LONGEST:
        return f"it has more than {LONGEST:,} characters"
    if len(set(password)) < FEWEST:
        return f"it has fewer than {FEWEST} different characters"
    own = {part for text in (address, name) for part in _PARTS.findall(text.casefold()) if len(part) > 2}  # noqa: PLR2004
    bare = _ROWS.sub("", password.casefold())
    if any(_left(text, COMMON | own) < FEWEST for text in (bare, bare.translate(_AS_LETTERS))):
        return TRIED
    return TRIED if _guesses(password) < LEAST else ""


def strength_of(password: str, address: str, name: str) -> str:
    """Return what a person reads below the field of a password: `too weak: …`, `fair`, `good` or `strong`."""
    if why := why_weak(password, address, name):
        return f"too weak: {why}"
    guesses = _guesses(password)
    return next((word for most, word in NAMED if guesses < most), "strong")


def _guesses(password: str) -> float:
    """Return how many guesses somebody needs who knows leaked passwords, names, words, dates and keyboards, as a decimal logarithm."""
    return zxcvbn(password[:ESTIMATED]).guesses_log10


def _left(password: str, words: Iterable[str]) -> int:
    """Count the letters and figures that no known word explains."""
    for word in sorted(words, key=len, reverse=True):
        password = password.replace(word, "")
    return sum(map(str.isalnum, password))
