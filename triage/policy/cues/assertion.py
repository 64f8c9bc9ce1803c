"""Tells whether words are asserted: not quoted, mentioned, reported, denied, supposed, asked or long past."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

from triage.policy.cues.language import Language, language_of, listed, words_listed
from triage.policy.text.phrase_matcher import PhraseMatch, Phrases
from triage.policy.text.sentences import CONTRASTS, TokenizedText, Word, shown

REACH: Final = 5
"""Most words between a negation and the word that it negates."""
BEHIND: Final = 3
"""Most words between a word and a `would be` behind it, as in German."""
MARKS: Final = (
    *("assertion.denied", "assertion.reported", "assertion.supposed"),
    *("assertion.past", "assertion.long_ago", "assertion.exceptions"),
)


@dataclass(frozen=True)
class Reading:
    """A passage with the language whose lists apply."""

    passage: TokenizedText
    language: Language

    @classmethod
    def of(cls, passage: TokenizedText) -> Self:
        """Return the passage with the language that its own words tell."""
        return cls(passage, language_of(passage.words))

    @property
    def words(self) -> tuple[Word, ...]:
        return self.passage.words

    @cached_property
    def marks(self) -> tuple[PhraseMatch, ...]:
        """The words that say in which way the words around them are meant."""
        found = listed(self.language.codes, *MARKS, accents=True).find(self.words)
        return tuple(mark for mark in found if mark.label != "exceptions")

    @cached_property
    def requests(self) -> frozenset[int]:
        """Numbers of the sentences that ask for work rather than for an answer."""
        found = listed(self.language.codes, "question.requests").find(self.words)
        return frozenset(self.words[one.start].sentence for one in found)

    def lists(self, *names: str, light: bool = False) -> Phrases:
        """Return lists in the passage's languages."""
        return listed(self.language.codes, *names, light=light)

    def shown(self, found: PhraseMatch) -> str:
        """Return the words of a match as the text has them."""
        return shown(self.words[found.start : found.end])

    def asserted(self, lists: Phrases, *, judgement: bool = False, deniable: bool = True) -> Iterator[PhraseMatch]:
        """Yield the asserted matches. A judgement (`urgent`) may be somebody else's; a fact (`is down`) is one whoever says it.

        What is not deniable has its negation in the words beside it: `nobody … can log in`.
        """
        found = tuple(lists.find(self.words))
        taken = frozenset(at for one in found for at in range(one.start, one.end))
        for one in found:
            if (
                one.label != "exceptions"
                and not any(word.quoted for word in self.words[one.start : one.end])
                and not (deniable and self.denied(one, taken))
                and not (judgement and self._asked(one))
                and not any(self._takes_back(mark, one, judgement=judgement) for mark in self.marks)
            ):
                yield one

    def denied(self, found: PhraseMatch, taken: frozenset[int]) -> bool:
        """Tell whether a negation stands before the phrase, or ends its clause as in German (`eilt … nicht`)."""
        words = self.words
        negations, near = self._words("negation.words"), self._words("negation.between")
        for at in range(found.start - 1, max(-1, found.start - 1 - REACH), -1):
            if words[at].clause != words[found.start].clause:
                break
            if words[at].plain in negations and at not in taken:
                return True
            if words[at].plain not in near and at not in taken:
                break
        return self._denied_behind(found)

    def _words(self, name: str) -> frozenset[str]:
        return words_listed(self.language.codes, name)

    def _denied_behind(self, found: PhraseMatch) -> bool:
        words, near = self.words, self._words("negation.between")
        for at in range(found.end, min(len(words), found.end + REACH)):
            if words[at].clause != words[found.start].clause:
                break
            if words[at].plain in self._words("negation.after"):
                return at + 1 == len(words) or words[at + 1].clause != words[at].clause
            if words[at].plain not in near:
                break
        return False

    def long_ago(self, found: PhraseMatch) -> bool:
        """Tell whether the clause tells of a time long past: `last year`."""
        clause = self.words[found.start].clause
        return any(mark.label == "long_ago" and self.words[mark.start].clause == clause for mark in self.marks)

    def _asked(self, found: PhraseMatch) -> bool:
        sentence = self.words[found.start].sentence
        return sentence in self.passage.asked and sentence not in self.requests

    def _takes_back(self, mark: PhraseMatch, found: PhraseMatch, *, judgement: bool) -> bool:
        """Tell whether a mark changes what the phrase means."""
        here, there = self.words[found.start], self.words[mark.start]
        before = mark.end <= found.start
        close = here.clause == there.clause
        behind = close and found.end <= mark.start <= found.end + BEHIND
        match mark.label:
            case "supposed":
                return (close and before) or behind
            case "denied":
                return close and before
            case "past":
                return judgement and close and ((before and found.start - mark.end < REACH) or behind)
            case "long_ago":
                return close
            case _:
                return judgement and before and here.sentence == there.sentence and not self._turns(mark, found)

    def _turns(self, mark: PhraseMatch, found: PhraseMatch) -> bool:
        """Tell whether a `but` stands between the two."""
        return any(word.shown.casefold() in CONTRASTS for word in self.words[mark.end : found.start])
