"""Says a question of another language in English keywords, by the word lists `knowledge.english`, so that English articles are found.

It is a dictionary of support terms, not a translation: what it does not know (names, codes, rare words) stays as it is, and
counts as asked and not found. Names of cases and of verbs are covered by stems.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.support.articles import Passage
from triage.policy.cues.language import CODES_OF, LINGUA_FRANCA, language_of
from triage.policy.knowledge.terms import CACHED, LONGEST_QUESTION, word_terms
from triage.policy.text.sentences import plain, read
from triage.policy.text.tokenizer import STOP_WORDS

LIST: Final = "knowledge.english"
COMPOUNDING: Final = frozenset({"de", "nl", "sv"})
"""Languages that write words together: `Rücksendeetikett`."""
SHORTEST_STEM: Final = 3
SHORTEST_PART: Final = 5
"""Letters of a part of a compound."""
MOST_WORDS: Final = 400
"""Words of a question that are read."""
_Table = Mapping[str, tuple[str, ...]]


def in_english(question: str, often: Callable[[str], int]) -> tuple[str, str] | None:
    """Return the question in English keywords with the code of its language; None where it is English, of no language that has a list, or has no known word.

    `often` is the number of passages that hold a term: of several English words for the same the library's own is taken.
    """
    words = [word.plain for word in read(question[:LONGEST_QUESTION]).words[:MOST_WORDS]]
    code = _language(words)
    if not code:
        return None
    keywords = list(_keywords(words, code, often))
    if not any(known for _, known in keywords):
        return None
    return " ".join(dict.fromkeys(text for text, _ in keywords)), code


def asked_elsewhere(question: str, passage: Passage) -> str:
    """Return the code of the question's language where the passage is surely of another one, else an empty text."""
    asked = _leading(question[:LONGEST_QUESTION])
    terms = _leading(f"{passage.title}. {passage.text}") if asked else frozenset()
    return min(asked) if terms and asked.isdisjoint(terms) else ""


def same_language(question: str, passage: Passage) -> bool:
    """Tell whether both are surely of one language, in which a question may still be found better by English keywords."""
    asked = _leading(question[:LONGEST_QUESTION])
    return len(asked) == 1 and asked == _leading(f"{passage.title}. {passage.text}")


@lru_cache(maxsize=CACHED)
def _leading(text: str) -> frozenset[str]:
    return frozenset(language_of(read(text).words).leading)


def _language(words: Sequence[str]) -> str:
    """Return the language, of those with a list, that has the most of the words; empty where English has as many."""
    points = Counter(code for word in words for code in CODES_OF.get(word, ()))
    listed = _listed()
    ranked = [
        (points[code], sum(_entry(_table(code), word) is not None for word in words), code)
        for code in points
        if code in listed
    ]
    count, _, best = max(ranked, default=(0, 0, ""))
    return best if count > points[LINGUA_FRANCA] else ""


def _keywords(words: Sequence[str], code: str, often: Callable[[str], int]) -> Iterator[tuple[str, bool]]:
    """Yield keywords, and whether each was in the list."""
    table, at = _table(code), 0
    longest = max(key.count(" ") for key in table) + 1
    while at < len(words):
        for count in range(min(longest, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + count])
            if stem := _entry(table, phrase):
                yield _best(table[stem], often), True
                if code in COMPOUNDING and count == 1:
                    yield from _second(table, phrase, len(stem) - 1, often)
                break
        else:
            count, phrase = 1, words[at]
            if code in COMPOUNDING and (second := list(_second(table, phrase, SHORTEST_PART, often))):
                yield from second
            elif phrase not in STOP_WORDS and code not in CODES_OF.get(phrase, ()):
                yield phrase, False
        at += count


def _second(table: _Table, word: str, begin: int, often: Callable[[str], int]) -> Iterator[tuple[str, bool]]:
    """Yield the keyword for the last part of a compound, if the list has it."""
    for start in range(max(begin, SHORTEST_PART), len(word) - SHORTEST_PART + 1):
        if stem := _entry(table, word[start:]):
            if len(stem.removesuffix("*")) >= SHORTEST_PART:
                yield _best(table[stem], often), True
            return


def _entry(table: _Table, phrase: str) -> str | None:
    """Return the entry of the list that a word, or some words, belong to: the whole, else the longest stem."""
    if phrase in table:
        return phrase
    shortest = phrase.rfind(" ") + SHORTEST_STEM
    return next((stem for end in range(len(phrase), shortest, -1) if (stem := f"{phrase[:end]}*") in table), None)


def _best(keywords: Sequence[str], often: Callable[[str], int]) -> str:
    """Return the English words that the library uses most, the first of equals."""
    return max(keywords, key=lambda one: min(map(often, word_terms(one)), default=0))


def _listed() -> frozenset[str]:
    return frozenset(code for code, lists in word_lists().by_language.items() if LIST in lists)


@lru_cache(maxsize=32)
def _table(code: str) -> _Table:
    """Return the folded words and stems of a language, with their English words."""
    table: dict[str, tuple[str, ...]] = {}
    for entry in word_lists().of(code, LIST):
        foreign, _, english = entry.partition(" = ")
        for word in foreign.split("/"):
            key = " ".join(one.plain for one in read(word.removesuffix("*")).words) or plain(word)
            table.setdefault(f"{key}*" if word.endswith("*") else key, tuple(english.split("/")))
    return table
