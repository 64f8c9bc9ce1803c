"""Reads a message to the memory: the job that it orders, or what a question is about, and whether it asks for a person, a time or a number."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.memory.answers import Job
from triage.domain.memory.notes import NoteKind
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.text.sentences import folded, plain
from triage.policy.text.tokenizer import stem, terms_in

KEYWORDS: Final = (
    (Job.BUILD, ("build", "rebuild", "scan", "ingest")),
    (Job.REFRESH, ("refresh", "prioritize", "prioritise")),
    (Job.RECONCILE, ("reconcile", "check actions", "check the actions", "check my actions", "check our actions")),
    (Job.DEDUPLICATE, ("deduplicate", "clean vault", "clean the vault", "clean up the vault")),
)
"""Job → the words that order it; the first that fits."""
COUNTED: Final = r"(?:notes?|memor(?:y|ies)|vault|decisions?|commitments?|insights?|people|(?:open )?actions?)"
STATS: Final = re.compile(
    rf"^(?:\W*(?:show|give|print|me|us|the|vault|memory|your) )*\W*(?:stats|statistics)\b|\bhow many {COUNTED}\b|^how many\W*$"
)
ASKS: Final = re.compile(
    r"\?\s*$|^\W*(?:who|whom|whose|what|when|where|which|why|how|did|does|do|is|are|was|were|has|have|had|will|would|should|tell|list|show|find)\b"
)
"""A message that asks orders nothing: `When do we build the quay?`"""
OF_ONE: Final = re.compile(r"\b(?:about|from|by|for|with|on|did|has|had|was|were|of)\b")
"""`How many decisions about the quay` asks for some of them: that is a question, and no figure of the vault."""

LONGEST: Final = 2_000
"""Characters of a question that are read."""
FILLERS: Final = frozenset(map(stem, folded("asking.fillers")))
EVERY: Final = frozenset(map(stem, folded("asking.every")))
TICKET: Final = re.compile(r"\b[A-Z][A-Z0-9_]{1,20}-\d{1,9}\b")
CASE: Final = re.compile(r"\bcase[- ](\d{1,9})\b", re.IGNORECASE)
OPENING: Final = re.compile(
    r"^(?:\W|(?:and|so|please|tell me|do you know|at|on|by|since|until|from|to|with|bis|seit|ab|an|mit|und)\b)+"
)
"""What may stand before the word that asks."""


class WantedAnswer(StrEnum):
    """What a question asks for."""

    PERSON = "person"
    TIME = "time"
    WISH = "wish"
    """What somebody wants."""
    NUMBER = "number"
    AMOUNT = "amount"
    """Of money."""
    ANYTHING = ""


class Horizon(StrEnum):
    """Which deadlines a question asks for."""

    OVERDUE = "overdue"
    SOON = "soon"
    """Within seven days from today."""
    ANY = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuestion:
    """A question, read by rules."""

    text: str
    terms: tuple[str, ...] = ()
    """What it is about, each once; empty where it asks for all notes of its kinds."""
    kinds: frozenset[NoteKind] = frozenset()
    """Kinds of notes that it asks for; empty: any."""
    wants: WantedAnswer = WantedAnswer.ANYTHING
    by_us: bool = False
    """It asks what one of us has promised."""
    horizon: Horizon = Horizon.ANY
    named: frozenset[str] = frozenset()
    """Keys of tickets and ids of cases in it."""
    before: str = ""
    """The same asker's question that it goes on from; empty: it stands alone."""

    @property
    def whole(self) -> str:
        """The question with the one that it goes on from, as it is searched for."""
        return f"{self.before}\n{self.text}" if self.before else self.text


def _any_of(name: str) -> re.Pattern[str]:
    """Return what finds an entry of a list in a folded text, at the bounds of words."""
    return lazy_pattern(lambda: rf"\b(?:{'|'.join(map(_entry, _longest_first(name)))})\b")


def _longest_first(name: str) -> list[str]:
    return sorted(map(plain, word_lists()[name]), key=len, reverse=True)


def _entry(entry: str) -> str:
    return re.escape(entry[:-1]) + r"\w*" if entry.endswith("*") else re.escape(entry)


POINTING: Final = _any_of("asking.pointing")
GOING_ON: Final = _any_of("asking.going_on")
PUTTING: Final = _any_of("asking.putting")

KINDS: Final = (
    (NoteKind.DECISION, _any_of("asking.decided")),
    (NoteKind.COMMITMENT, _any_of("asking.promised")),
    (NoteKind.ACTION, _any_of("asking.to_do")),
)
HORIZONS: Final = ((Horizon.OVERDUE, _any_of("asking.overdue")), (Horizon.SOON, _any_of("asking.soon")))
WANTS: Final = (
    (WantedAnswer.NUMBER, _any_of("asking.how_many")),
    (WantedAnswer.TIME, _any_of("asking.when")),
    (WantedAnswer.PERSON, _any_of("asking.who")),
)
BY_US: Final = _any_of("asking.by_us")
PRICE: Final = _any_of("asking.price")

WISH: Final = _any_of("asking.wanted")


def read_question(text: str) -> MemoryQuestion:
    """Return what a question asks, by its words alone."""
    text = text[:LONGEST]
    low = " ".join(plain(TICKET.sub(" ", CASE.sub(" ", text))).split())
    kinds = frozenset(kind for kind, words in KINDS if words.search(low))
    horizon = next((horizon for horizon, words in HORIZONS if words.search(low)), Horizon.ANY)
    if len(kinds) > 1:
        kinds -= {NoteKind.ACTION}  # promises that are due: the words of actions say which promises
    opening, about = OPENING.sub("", low), low
    for _, words in (*KINDS, *HORIZONS, *WANTS):
        about = words.sub(" ", about)
    wants = next((wants for wants, words in WANTS if words.match(opening)), WantedAnswer.ANYTHING)
    if wants is WantedAnswer.NUMBER and PRICE.search(about):
        wants, about = WantedAnswer.AMOUNT, PRICE.sub(" ", about)  # who names an amount need not say that it is a price
    if wants is WantedAnswer.ANYTHING and WISH.search(about):
        wants, about = WantedAnswer.WISH, WISH.sub(" ", about)
    idle = FILLERS | EVERY if kinds else FILLERS
    cases = (f"case-{int(number)}" for number in CASE.findall(text))
    return MemoryQuestion(
        text=text,
        terms=tuple(dict.fromkeys(term for term in terms_in(about) if term not in idle)),
        kinds=kinds,
        wants=wants,
        by_us=NoteKind.COMMITMENT in kinds and bool(BY_US.search(low)),
        horizon=horizon,
        named=frozenset((*TICKET.findall(text), *cases)),
    )


def job_of(message: str) -> Job:
    """Return what a message wants; whatever orders nothing is a question."""
    text = " ".join(plain(message).split())
    if (found := STATS.search(text)) and not OF_ONE.search(text, found.end()):
        return Job.STATS
    if ASKS.search(text):
        return Job.QUERY
    return next((job for job, words in KEYWORDS if any(re.search(rf"\b{word}\b", text) for word in words)), Job.QUERY)
