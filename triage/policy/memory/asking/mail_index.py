"""Finds the mails that hold most of a question's words, in memory; mails are added as they come."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import log
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from triage.domain.memory.notes import MemoryMail
from triage.policy.memory.search import name_terms
from triage.policy.text.sentences import plain
from triage.policy.text.tokenizer import terms_in, terms_of, words_in

SHORTEST: Final = 5
"""Letters of a word whose misspelling is mended."""
LONG: Final = 8
"""Letters from which two may be wrong."""
READ: Final = 20_000
"""Characters of a mail that are indexed."""


@dataclass(slots=True)
class MailIndex:
    """Words → mails that hold them."""

    mails: dict[str, MemoryMail] = field(default_factory=dict)
    """By case, in the order in which they were added."""
    words: set[str] = field(default_factory=set)
    """Long words of all mails that were added, as they are spelt."""
    holds: dict[str, set[str]] = field(default_factory=dict)
    """Term → cases."""

    def add(self, mails: Iterable[MemoryMail]) -> None:
        """Take mails in; one that is known is left as it is."""
        for mail in mails:
            if mail.case in self.mails:
                continue
            self.mails[mail.case] = mail
            words = plain(f"{mail.subject}\n{mail.text[:READ]}")
            for term in {*terms_in(words), *name_terms(f"{mail.name} {mail.sender}")}:
                self.holds.setdefault(term, set()).add(mail.case)
            self.words.update(word for word in words_in(words) if len(word) >= SHORTEST)

    def spelt(self, text: str, terms: Collection[str]) -> str:
        """Return a question in which each word of these terms that no mail holds is the nearest one that mails hold."""
        for word in words_in(plain(text)):
            if len(word) < SHORTEST or word in self.words or not set(terms_of(word)) <= set(terms) - self.holds.keys():
                continue
            most = 1 if len(word) < LONG else 2
            near = process.extractOne(word, self.words, scorer=OSA.distance, score_cutoff=most)
            if near and near[0][0] == word[0]:
                text = re.sub(rf"\b{re.escape(word)}\b", near[0], text, flags=re.IGNORECASE)
        return text

    def remove(self, case: str) -> None:
        if self.mails.pop(case, None) is not None:
            for cases in self.holds.values():
                cases.discard(case)

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        most = log(2 * (len(self.mails) + 1))
        return {term: log((len(self.mails) + 1) / (len(self.holds.get(term, ())) + 0.5)) / most for term in terms}

    def find(self, terms: Iterable[str], limit: int) -> tuple[MemoryMail, ...]:
        """Return the mails that hold most of the terms by their rarity, the latest first among equals."""
        scores: defaultdict[str, float] = defaultdict(float)
        for term, weight in self.rarity(terms).items():
            for case in self.holds.get(term, ()):
                scores[case] += weight
        places = {case: place for place, case in enumerate(self.mails)}
        best = sorted(scores, key=lambda case: (-scores[case], -places[case]))
        return tuple(self.mails[case] for case in best[:limit])
