"""Public mail domains (freemail): two senders of one such domain have nothing in common."""

from collections.abc import Iterable
from typing import Final

from triage.config.word_lists import word_lists

PUBLIC: Final = frozenset(word_lists()["sender.public_domains"])


def single_organisation(domains: Iterable[str]) -> frozenset[str]:
    """Return the domains in which a single organisation assigns addresses."""
    return frozenset(domain.lower() for domain in domains if domain) - PUBLIC
