"""Mail domains and the organisations that own them; of a public one (freemail) two senders have nothing in common."""

import re
from collections.abc import Iterable
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.text.word_patterns import levelled

PUBLIC: Final = frozenset(word_lists()["sender.public_domains"])
SHORTEST: Final = 5
"""Letters; shorter names of domains are words of many texts."""
GENERIC: Final = frozenset(
    ["ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "gv", "ne", "net", "nom", "or", "org"]
)
"""Labels below a country's domain that name no organisation."""
_WORD: Final = re.compile(r"[^\W_]+")


def single_organisation(domains: Iterable[str]) -> frozenset[str]:
    """Return the domains in which a single organisation assigns addresses."""
    return frozenset(domain.lower() for domain in domains if domain) - PUBLIC


def names_organisation(text: str, domain: str) -> bool:
    """Tell whether a text names the organisation of a mail domain that it has for itself, by all words of its name or the domain."""
    if not single_organisation([domain]):
        return False
    low = levelled(text)
    name = _name_of(domain)
    if domain.casefold() in low:
        return True
    if len(name) < SHORTEST:
        return False
    words = _WORD.findall(low)
    return set(_WORD.findall(name)) <= set(words) or _joined(name, words)


def _name_of(domain: str) -> str:
    """Return the label that names the organisation: `larkhill` of mail.larkhill.co.uk."""
    labels = levelled(domain).split(".")[:-1]
    return next((label for label in reversed(labels) if label not in GENERIC), "")


def _joined(name: str, words: list[str]) -> bool:
    """Tell whether words that follow each other make the name: Flanders Biotech of flandersbiotech.example."""
    return any(
        "".join(words[start:end]) == name
        for start in range(len(words))
        for end in range(start + 2, min(start + 4, len(words)) + 1)
    )
