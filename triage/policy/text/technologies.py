"""Finds technologies in a text by whole words and all their aliases."""

import re
from collections.abc import Iterator
from typing import Final

from triage.config.word_lists import NAME_WORDS, word_lists
from triage.domain.findings import Cue

TOKEN: Final = re.compile(r"\.?\w+(?:[./'-]\w+)*[+#]*")
VERSION: Final = re.compile(r"v?\d+(?:\.\d+)*")
ENDINGS: Final = re.compile(
    r"['\u2019]?(?:u|a|y|i|e|em|ie|om|ze|ovi|owi|iem|ami|ech|ach|da|de|ta|te|dan|den|nin|un|in|la|le|lla|llä|ssa|ssä)$"
)
"""Endings that Slavic languages, Turkish and Finnish give names: `GitHubu`, `Dockerem`, `Slack'te`."""
SHORTEST_STEM: Final = 5
"""Letters of a name from which on an ending is read as one."""
SCRIPTS: Final = re.compile(
    r"(?<=[A-Za-z0-9])(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])|(?<=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af])(?=[A-Za-z])"
)
"""Where Latin letters meet letters that are written without spaces: `AWSの`."""
ORACLE_ERROR: Final = re.compile(r"ORA-\d{5}")
LONGEST_WORD: Final = 80
MOST_CHUNKS: Final = 2_500
_LISTED: Final = word_lists().technologies
BY_ALIAS: Final = {tuple(alias.split()): name for alias, name in _LISTED.aliases.items()}
FIRST_WORDS: Final = frozenset(alias[0] for alias in BY_ALIAS)


def technologies_in(*texts: str) -> tuple[Cue, ...]:
    """Return each technology once, in the order of first mention, with the names that the texts use."""
    seen: dict[str, dict[str, None]] = {}
    for text in texts:
        for name, evidence in _mentions(_tokens(text)):
            seen.setdefault(name, {}).setdefault(evidence)
    return tuple(Cue(value=name, evidence=tuple(spellings)) for name, spellings in seen.items())


def _tokens(text: str) -> list[str]:
    """Split into words with the signs that names contain; `Java/Kotlin` is two words unless a name has it."""
    found: list[str] = []
    for chunk in text.split()[:MOST_CHUNKS]:
        if "://" in chunk or "@" in chunk or len(chunk) > LONGEST_WORD:
            found.append("")
            continue
        for token in TOKEN.findall(chunk if chunk.isascii() else SCRIPTS.sub(" ", chunk)):
            whole = token.isalnum() or (token.lower(),) in BY_ALIAS or "." in token
            found += [token] if whole else _pieces(token)
    return found


def _pieces(token: str) -> list[str]:
    if ORACLE_ERROR.fullmatch(token):
        return [token]
    return [piece for piece in re.split(r"[/-]", token) if piece]


def _mentions(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Yield technology and words; the longest name wins, so that `React Native` is not React."""
    folded = [token.lower() for token in tokens]
    at = 0
    while at < len(tokens):
        begins = folded[at] in FIRST_WORDS
        length = (
            next((n for n in range(NAME_WORDS, 0, -1) if tuple(folded[at : at + n]) in BY_ALIAS), 0) if begins else 0
        )
        if length:
            yield BY_ALIAS[tuple(folded[at : at + length])], " ".join(tokens[at : at + length])
        elif name := _inflected(tokens[at]):
            yield name, tokens[at]
        elif tokens[at].startswith("ORA-") and ORACLE_ERROR.fullmatch(tokens[at]):
            yield "Oracle", tokens[at]
        elif tokens[at] in _LISTED.spelt:
            yield tokens[at], tokens[at]
        elif folded[at] in _LISTED.versioned and at + 1 < len(tokens) and VERSION.fullmatch(folded[at + 1]):
            yield _LISTED.versioned[folded[at]], f"{tokens[at]} {tokens[at + 1]}"
        at += length or 1


def _inflected(token: str) -> str:
    """Return the technology that a capitalised word names with the ending of a case; empty if none."""
    if not token[:1].isupper() or len(token) <= SHORTEST_STEM:
        return ""
    stem = ENDINGS.sub("", token)
    known = len(stem) >= SHORTEST_STEM and stem != token
    return BY_ALIAS.get((stem.lower(),), stem if stem in _LISTED.spelt else "") if known else ""
