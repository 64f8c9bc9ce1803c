"""Cuts passages and questions into the terms by which the library finds one with the other, with the ticket index's tokenizer."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import log
from typing import Final

from triage.domain.support.articles import Passage
from triage.policy.text.sentences import WORD, unvoiced
from triage.policy.text.tokenizer import terms_in
from triage.policy.ticket.index_entry import BEGINNING, BEGINNING_FACTOR, CUT, index_terms

LONGEST_QUESTION: Final = 6_000
"""Characters of a question that are read."""
MOST_TERMS: Final = 400
CACHED: Final = 4_096


@lru_cache(maxsize=CACHED)
def terms_of(text: str) -> str:
    """Return the terms of a text in order, with blanks between: what the index stores."""
    return " ".join(index_terms(text))


def fields_of(passage: Passage) -> Mapping[str, str]:
    """Return what the index stores of a passage: `text` holds title and headings, too."""
    title, heading = terms_of(passage.title), terms_of(passage.heading)
    return {"title": title, "heading": heading, "text": f"{title} {heading} {' '.join(index_terms(passage.text))}"}


def query_of(question: str) -> Mapping[str, float]:
    """Return the question's terms with their weights, heaviest first; beginnings of words count little."""
    counts = Counter(index_terms(question[:LONGEST_QUESTION]))
    weights = {
        term: (BEGINNING_FACTOR if term.endswith(CUT) else 1.0) * (1 + log(count)) for term, count in counts.items()
    }
    return dict(sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_TERMS])


def word_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a text, each once, in order, without beginnings."""
    return tuple(dict.fromkeys(terms_in(text)))


def beginning_of(term: str) -> str:
    """Return the term for words that begin alike, empty for a short word: `faktu~` of `fakturami`."""
    return f"{term[:BEGINNING]}{CUT}" if len(term) > BEGINNING and term.isalpha() else ""


def heading_of(passage: Passage) -> str:
    """Return the nearest heading above the passage; at the article's beginning its title."""
    return passage.heading.rpartition(" > ")[2] or passage.title


def all_words(text: str) -> frozenset[str]:
    """Return all words of a text, folded, those that say nothing by themselves included."""
    return _words(text)


@lru_cache(maxsize=CACHED)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(unvoiced, WORD.findall(text)))
