"""Finds technologies in a text by whole words and all their names."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from triage.config.word_lists import NAME_WORDS, word_lists
from triage.domain.findings import Cue
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.text.sentences import folded, plain

TOKEN: Final = re.compile(r"\.?\w+(?:[./'\u2019-]\w+)*[+#]*")
VERSION: Final = re.compile(r"v?\d+(?:\.\d+)*")
ENDINGS: Final = folded("names.endings")
POSSESSIVE: Final = ("'s", "\u2019s")
APOSTROPHE: Final = re.compile(r"['\u2019]")
LONGEST_ENDING: Final = max(map(len, ENDINGS))
SHORTEST_STEM: Final = 5
"""Letters of a name from which on an ending is read as one."""
SCRIPTS: Final = re.compile(
    r"(?<=[A-Za-z0-9])(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])(?=[A-Za-z])"
)
"""Where Latin letters meet letters that are written without spaces: `AWSの`."""
ORACLE_ERROR: Final = re.compile(r"ORA-\d{5}")
LONGEST_WORD: Final = 80
MOST_CHUNKS: Final = 2_500
SENTENCE_ENDS: Final = (".", "!", "?", ":", ";")

INSIDE: Final = "… "
WITH_VERSION: Final = " #"
_LISTED: Final = word_lists().technologies


def _listed(*, inside: bool = False, versioned: bool = False) -> dict[tuple[str, ...], str]:
    """Return the words of the names of one kind, as they are listed → technology."""
    return {
        tuple(name.removeprefix(INSIDE).removesuffix(WITH_VERSION).split()): technology
        for name, technology in _LISTED.items()
        if name.startswith(INSIDE) == inside and name.endswith(WITH_VERSION) == versioned
    }


NAMES: Final = _listed()
"""Words → technology; words in small letters stand for any case."""
_NAMES_INSIDE: Final = _listed(inside=True)
_NAMES_BEFORE_VERSIONS: Final = _listed(versioned=True)
_FIRST_WORDS: Final = frozenset(words[0].lower() for words in (*NAMES, *_NAMES_INSIDE, *_NAMES_BEFORE_VERSIONS))
_UNSPACED: Final = lazy_pattern(
    lambda: "|".join(
        # Katakana and Hangul words begin where others end: パスワード (password) is not ワード (Word).
        rf"(?<![\u30a1-\u30fc\uac00-\ud7af]){re.escape(words[0])}(?![\u30a1-\u30fc])"
        for words in sorted(NAMES, reverse=True)
        if words[0] >= "\u3040"
    )
)
"""Names in scripts that part no words: a blank is put around each."""


def technologies_in(*texts: str) -> tuple[Cue, ...]:
    """Return each technology once, in the order of first mention, with the names that the texts use."""
    seen: dict[str, dict[str, None]] = {}
    for text in texts:
        for name, evidence in _mentions(_tokens(text)):
            seen.setdefault(name, {}).setdefault(evidence)
    return tuple(Cue(value=name, evidence=tuple(spellings)) for name, spellings in seen.items())


def _tokens(text: str) -> list[str]:
    """Split into words with the signs that names contain, and an empty one where a sentence ends.

    `Java/Kotlin` is two words unless a name has it.
    """
    found: list[str] = []
    for chunk in text.split()[:MOST_CHUNKS]:
        if "://" in chunk or "@" in chunk or len(chunk) > LONGEST_WORD:
            found.append("")
            continue
        for token in TOKEN.findall(chunk if chunk.isascii() else _UNSPACED.sub(r" \g<0> ", SCRIPTS.sub(" ", chunk))):
            whole = token.isalnum() or (token.lower(),) in NAMES or "." in token
            found += [token] if whole else _pieces(token)
        if chunk.endswith(SENTENCE_ENDS):
            found.append("")
    return found


def _pieces(token: str) -> list[str]:
    if ORACLE_ERROR.fullmatch(token):
        return [token]
    owned = token[-2:] in POSSESSIVE and token.lower() not in _FIRST_WORDS  # `Vault's`, but not `Let's Encrypt`
    return [piece for piece in re.split(r"[/-]", token[:-2] if owned else token) if piece]


def _mentions(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Yield technology and words; the longest name wins, so that `React Native` is not React."""
    at = last = 0
    while at < len(tokens):
        begins = tokens[at].lower() in _FIRST_WORDS
        inside = at > 0 and (tokens[at - 1][:1].islower() or last == at)
        name, length = _named(tokens, at, inside=inside) if begins else ("", 0)
        if not name:
            name, length = _alone(tokens[at]), 1
        at += length
        if name:
            last = at
            yield name, " ".join(tokens[at - length : at])


def _named(tokens: list[str], at: int, *, inside: bool) -> tuple[str, int]:
    """Return the technology of the longest name that begins here, and the name's words; no name: empty, 0."""
    for length in range(min(NAME_WORDS, len(tokens) - at), 0, -1):
        words = tuple(tokens[at : at + length])
        name = _found(NAMES, words) or (_NAMES_INSIDE.get(words, "") if inside else "")
        if name:
            return name, length
        before = _found(_NAMES_BEFORE_VERSIONS, words)
        if before and VERSION.fullmatch("".join(tokens[at + length : at + length + 1]).lower()):
            return before, length + 1
    return "", 0


def _found(names: Mapping[tuple[str, ...], str], words: tuple[str, ...]) -> str:
    return names.get(words) or names.get(tuple(word.lower() for word in words), "")


def _alone(token: str) -> str:
    """Return the technology of an error's code, or of a capitalised name with the ending of a case; empty if none."""
    if not token[:1].isupper() or len(token) <= SHORTEST_STEM:
        return ""
    if ORACLE_ERROR.fullmatch(token):
        return "Oracle"
    stem, *ending = APOSTROPHE.split(token, maxsplit=1)
    if ending:
        return _found(NAMES, (stem,))
    word = plain(token)
    cuts = range(1, min(LONGEST_ENDING, len(word) - SHORTEST_STEM) + 1)
    stems = (word[:-cut] for cut in cuts if word[-cut:] in ENDINGS)
    return next((NAMES[stem,] for stem in stems if (stem,) in NAMES), "")
