"""Recognises vacation notices and other automatic mail by the words that they open with, in any listed language."""

import re
from dataclasses import dataclass
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import Message
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.text.phrase_matcher import Phrases, phrases
from triage.policy.text.sentences import folded, pieces, plain, read

_LISTS: Final = word_lists()
AUTOMATIC: Final = folded("automatic.subjects")
ABSENT: Final = folded("absence.subjects")


@dataclass(frozen=True, slots=True)
class _Notice:
    """The phrases by which one sort of automatic notice is recognised."""

    listed: Phrases
    needed: tuple[tuple[str, ...], ...]
    """The words of each entry that decides, the longest first: few texts have all of one, and only these are read."""
    runs: tuple[str, ...]
    """Of scripts without blanks: characters in a row."""

    @classmethod
    def of(cls, runs: str, **lists: str) -> "_Notice":
        """Build from word lists by label; entries of the label `who` do not decide alone. `runs` names the list for scripts without blanks."""
        entries = (plain(entry) for label, name in lists.items() if label != "who" for entry in _LISTS[name])
        words = ([piece for word in re.findall(r"\w+", entry) for piece in pieces(word)] for entry in entries)
        needed = (tuple(sorted(those, key=len, reverse=True)) for those in words)
        listed = phrases(None, accents=False, **{label: _LISTS[name] for label, name in lists.items()})
        return cls(listed, tuple(needed), tuple(map(plain, _LISTS[runs])))


ABSENT_TEXT: Final = _Notice.of("absence.runs", who="absence.who", away="absence.away", whole="absence.whole")
UNATTENDED_TEXT: Final = _Notice.of("automatic.runs", whole="automatic.sentences")
BEGINNING: Final = 400
"""Characters at the beginning of a text that are searched for a vacation notice."""
BETWEEN: Final = 10
"""Most words from `I am` to `away`: `Ich bin vom 3. bis einschließlich 14. August nicht im Büro`."""
_FIELD: Final = lazy_pattern(
    lambda: rf"\s*{_LISTS.alternatives('header.to', 'header.subject', 'header.date')}\s?[:\uff1a]", re.IGNORECASE
)
LEAST_FIELDS: Final = 2
AROUND_FIELDS: Final = 3
"""Most lines of a read receipt beside the fields of the mail that was read."""
_UNTIL: Final = folded("absence.until")
ANSWER: Final = lazy_pattern(
    lambda: rf"\s*{_LISTS.alternatives('automatic.subject_prefixes')}\s{{0,3}}(?:\[\d{{1,3}}\])?\s{{0,3}}[:\uff1a]",
    re.IGNORECASE,
)
_SIGNS: Final = r"\s!-&(-/:-@\[-^`{-\xbf\u2000-\u206f\u3000-\u303f\uff00-\uff1f"
_PREFIXED: Final = re.compile(
    rf"\s*(?=(?:[^{_SIGNS}\d]\s?){{8}})[^{_SIGNS}\d]+(?:\s[^{_SIGNS}\d]+){{0,3}}\s?[:\uff1a]\s*\S"
)
"""One to four words without digits, eight letters at least, above a subject."""
_MARK: Final = re.compile(r"[:\uff1a\[\](){}|/*.!,\u3010\u3011]|\s[-\u2013\u2014]")
_WORD: Final = re.compile(rf"[^{_SIGNS}]+")
"""A word of any script: `\\w` leaves out the vowels of Thai and Hindi."""
_TOLD: Final = re.compile('["\u201c\u201e\u00ab\u300c][^"\u201c\u201d\u00bb\u300d]{1,300}["\u201c\u201d\u00bb\u300d]')
"""Quoted text: the author repeats the words of somebody else."""
_ORDER: Final = re.compile(r"(?:^|[.,;:!(*|\u2013\u2014-])[ \t]*do not reply\b", re.IGNORECASE | re.MULTILINE)
"""`Do not reply` at the beginning of a clause; `they do not reply` is a complaint."""


def automatic_submission(message: Message) -> str:
    """Return the value of Auto-Submitted (RFC 3834) in lower case if it says that no person sends the mail, else an empty text."""
    submitted = message.header("auto-submitted").lower()
    return "" if submitted.startswith("no") else submitted


def automatic_subject(subject: str) -> bool:
    """Tell whether a program wrote the subject: listed words up to a colon, a dash or the end."""
    return not {" ".join(words) for words in _heads(subject)}.isdisjoint(AUTOMATIC)


def renamed_answer(message: Message) -> bool:
    """Tell whether an answer has other words than `Re:` before the subject and quotes nothing, as programs answer.

    It needs no list: `Automaatvastus: Pump` is known by its form.
    """
    subject = str(message.subject)
    return bool(message.thread and _PREFIXED.match(subject)) and not message.quoted and not ANSWER.match(subject)


def absent_subject(subject: str) -> bool:
    """Tell whether the subject announces an absence: `Out of office`, `Absence : Marie`, `Abwesend bis 5. Mai`."""
    return any(_absent(words) for words in _heads(subject))


def _absent(words: list[str]) -> bool:
    ends = [at for at, word in enumerate(words) if at and (word in _UNTIL or word[0].isdigit())]
    return any(" ".join(words[:end]) in ABSENT for end in (len(words), *ends))


def _heads(subject: str) -> tuple[list[str], ...]:
    """Return the folded words up to the first separator, without `Re:` and the like before them.

    Where the last of them is such a prefix, also those before it: `ответ` is one, and the end of `автоматический ответ`.
    """
    rest = subject[:200]
    while found := ANSWER.match(rest):
        rest = rest[found.end() :]
    rest = rest.lstrip(" \t*[(\u3010")
    mark = _MARK.search(rest)
    words = _WORD.findall(plain(rest[: mark.start()] if mark else rest))
    return (words, words[:-1]) if mark and words[1:] and ANSWER.match(f"{words[-1]}:") else (words,)


def read_receipt(message: Message) -> str:
    """Return the subject of a receipt without headers: a program's words, and a text of little but fields of a mail."""
    lines = [line for line in str(message.text)[:BEGINNING].splitlines() if line.strip()]
    fields = sum(bool(_FIELD.match(line)) for line in lines)
    short = len(message.text) <= BEGINNING and len(lines) - fields <= AROUND_FIELDS
    return message.subject if fields >= LEAST_FIELDS and short and automatic_subject(message.subject) else ""


def absent_text(text: str) -> str:
    """Return the first words that say that the author is away, else nothing; what he quotes says nothing of him."""
    return _found(ABSENT_TEXT, _TOLD.sub("", text[:BEGINNING]))


def unattended_text(text: str) -> str:
    """Return the words that say that a program wrote the text or that nobody reads answers, else nothing."""
    spoken = _TOLD.sub("", text)
    order = _ORDER.search(spoken)
    return order[0].strip(" \t.,;:!(*|\u2013\u2014-") if order else _found(UNATTENDED_TEXT, spoken)


def _found(notice: _Notice, text: str) -> str:
    folded = plain(text)
    may_hold = any(all(word in folded for word in words) for words in notice.needed)
    if may_hold and (phrase := _phrase(notice.listed, text)):
        return phrase
    return "" if text.isascii() else next((run for run in notice.runs if run in folded), "")


def _phrase(listed: Phrases, text: str) -> str:
    passage, who = read(text), -BETWEEN
    words = passage.words
    for found in listed.find(words):
        if words[found.start].sentence in passage.asked:  # a notice asks nothing: `how many visits do I have left?`
            continue
        if found.label == "who":
            who = found.end
        elif found.label == "whole" or found.start - who < BETWEEN:
            return " ".join(word.shown for word in words[found.start : found.end])
    return ""
