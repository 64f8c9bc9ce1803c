"""Reads a mail's sentences with the word lists of the memory: which of their phrases stand in a sentence, and where."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.policy.calendar.due_date import sentences_in
from triage.policy.cues.language import language_of
from triage.policy.text.sentences import read
from triage.policy.text.word_patterns import levelled

LONGEST: Final = 600
"""Characters of a sentence that are read; what is longer is a table or a log."""
READ: Final = 20_000
"""Characters of a mail that are read."""
TOLD_APART: Final = 3
"""Most languages that a text may be in; where its few words fit more of them, it may be in any."""
_QUOTED: Final = re.compile(r"[\"“„«][^\"“”„«»\n]{2,400}[\"”“»]")
_QUOTE_LINE: Final = re.compile(r"^\s*(?:>|\+|@@ |diff --git |#).*$", re.MULTILINE)
"""Lines of others and of patches."""
_LABELLED: Final = re.compile(r"\n(?=[ \t]*[^\W\d_a-z][^\W\d_]+(?: [\w.]{1,20})?:[ \t])")
"""Before a line such as `Marek: …` or `Item 2: …`, which goes on from no line above it."""
_MASK: Final = "·"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a mail."""

    text: str
    """As it is written, in one line; what it quotes is masked."""
    low: str
    """Levelled: small letters without accents, each at its place."""
    languages: tuple[str, ...]

    @property
    def asked(self) -> bool:
        return self.text.rstrip().endswith("?")

    def found(self, *names: str) -> re.Match[str] | None:
        """Return the first place of a phrase of these lists."""
        return next((match for name in names if (match := pattern(name, self.languages).search(self.low))), None)

    def follows(self, name: str, at: int) -> re.Match[str] | None:
        """Return a phrase of this list that stands exactly there."""
        return pattern(name, self.languages).match(self.low, at)


def sentences_of_mail(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a mail's text; quoted words are masked, so that nobody's words count as the author's."""
    shown = _QUOTED.sub(lambda quote: _MASK * len(quote[0]), _QUOTE_LINE.sub("", text[:READ]))
    languages = languages_of(shown)
    for sentence in sentences_in(_LABELLED.sub("\n\n", shown)):
        yield Sentence(sentence[:LONGEST], levelled(sentence[:LONGEST]), languages)


def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages of a text that have lists for the memory; all of them where its words do not tell."""
    language = language_of(read(text).words)
    spoken = language.codes if len(language.leading) <= TOLD_APART else ()
    listed = tuple(code for code in word_lists().languages if word_lists().of(code, "memory.promises"))
    return tuple(code for code in listed if code in spoken) or listed


@cache
def pattern(name: str, languages: tuple[str, ...]) -> re.Pattern[str]:
    """Return the expression for any entry of a list in these languages."""
    entries = [entry for code in languages for entry in word_lists().of(code, f"memory.{name}")]
    return re.compile("|".join(f"(?:{entry})" for entry in entries) or r"(?!)")
