"""Finds the mails that hold most of a question's words, in memory; mails are added as they come."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log
from typing import Final

from triage.domain.memory.notes import MemoryMail
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import terms_in

READ: Final = 20_000
"""Characters of a mail that are indexed."""


@dataclass(slots=True)
class MailIndex:
    """Words → mails that hold them."""

    mails: dict[str, MemoryMail] = field(default_factory=dict)
    """By case, in the order in which they were added."""
    holds: dict[str, set[str]] = field(default_factory=dict)
    """Term → cases."""

    def add(self, mails: Iterable[MemoryMail]) -> None:
        """Take mails in; one that is known is left as it is."""
        for mail in mails:
            if mail.case in self.mails:
                continue
            self.mails[mail.case] = mail
            for term in set(terms_in(plain(f"{mail.subject}\n{mail.sender}\n{mail.text[:READ]}"))):
                self.holds.setdefault(term, set()).add(mail.case)

    def remove(self, case: str) -> None:
        """Forget a mail."""
        if self.mails.pop(case, None) is not None:
            for cases in self.holds.values():
                cases.discard(case)

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return the weight of each term, from 0 (in all mails) to 1 (in none)."""
        most = log(2 * (len(self.mails) + 1))
        return {term: log((len(self.mails) + 1) / (len(self.holds.get(term, ())) + 0.5)) / most for term in terms}

    def find(self, terms: Iterable[str], limit: int) -> tuple[MemoryMail, ...]:
        """Return the mails that hold most of the terms by their rarity, the latest first among equals."""
        told: defaultdict[str, float] = defaultdict(float)
        for term, weight in self.rarity(terms).items():
            for case in self.holds.get(term, ()):
                told[case] += weight
        places = {case: place for place, case in enumerate(self.mails)}
        best = sorted(told, key=lambda case: (-told[case], -places[case]))
        return tuple(self.mails[case] for case in best[:limit])
