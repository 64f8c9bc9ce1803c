"""Guesses the component of a new ticket: by names and aliases in the mail, similar tickets and, in a young tracker, by meaning."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.domain.findings import ComponentGuess
from triage.domain.tickets import Ticket
from triage.policy.classifiers.choice_model import FAINT, choice_model, softmax
from triage.policy.cues.language import is_encoded
from triage.policy.people.expertise import FLOOR, SHARPNESS, SHORT, History, Neighbours, newest_of
from triage.policy.people.term_vectors import TEXT_LIMIT, buckets_of, corpus_of, likeness, term_vector
from triage.policy.ranking.near_in_meaning import mail_meaning
from triage.policy.text.author_text import author_text

MODEL: Final = "components"
FEATURES: Final = ("log_similar_ever", "log_similar", "log_active", "named", "titled", "odds", "titled_odds", "closest")
ALIAS_ODDS: Final = 3.0
"""Log-odds of a component whose alias an admin wrote down: one mail of twenty means something else."""
CACHED: Final = 2_048
SHOWN: Final = 3
LISTED: Final = 50
"""Nearest tickets that may be evidence."""
LEAST: Final = 0.02
"""Smaller probabilities are not listed."""
TAUGHT: Final = 200
"""Earlier tickets from which on they tell more than descriptions."""
MEANING_WEIGHTS: Final = (0.53, 6.9, 9.15, 25.0)
"""Of `meaning_features`, by `python -m tests.training.component_weights` (decisions 291, 346)."""
OF_NONE: Final = 6.3
"""Score of a mail that is about no component."""
SHORTEST: Final = 3
"""Characters of a thing: fewer are an abbreviation."""
NEAREST: Final = 3
"""Tickets of a component that a mail is compared with."""
SURE: Final = 0.5
"""Probability from which on a component is written, by meaning: so many are right as of those by words."""
PRECISION: Final = 0.85
"""Share of the components written on tickets that are right, by words."""
_BETWEEN: Final = re.compile("[,;:.\u3001\u3002\uff0c\uff1a\uff1b]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The project's components with their aliases and descriptions."""

    names: tuple[str, ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the component's name in lower case, from triage.yaml."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """By the component's name: what Jira says that it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """How a mail names a component."""

    word: str = ""
    """The name or alias in the mail; empty if there is none."""
    titled: bool = False
    """It stands in the subject."""
    alias: bool = False
    """It is one that an admin wrote down."""
    odds: float = 0.0
    """Logarithm of how much more tickets with this name in the title have the component than not."""


def guess_components(
    title: str, text: str, known: Known, neighbours: Neighbours, history: History
) -> tuple[ComponentGuess, ...]:
    """Return the probable components, best first."""
    namings = namings_of(title, text, known, history)
    chances = choice_model(MODEL).probabilities(component_features(known.names, namings, neighbours, history))
    taught = len(history.read) >= TAUGHT or any(one.alias for one in namings)
    young = not taught and is_encoded(f"{title}.\n{author_text(text)}")
    if young:
        scores = meaning_features(chances, title, text, known, history) @ MEANING_WEIGHTS
        chances = softmax(np.append(scores, OF_NONE))[:-1]
    enough = SURE if young else choice_model(MODEL).threshold(PRECISION)
    order = sorted(range(len(chances)), key=lambda at: (-chances[at], known.names[at]))
    nearest = [int(at) for at in (-neighbours.likeness).argsort(kind="stable")[:LISTED] if neighbours.likeness[at] > 0]
    return tuple(
        ComponentGuess(
            name=known.names[at],
            probability=round(float(chances[at]), 3),
            sure=bool(chances[at] >= enough),
            evidence=tuple(_evidence(known.names[at], namings[at], [neighbours.tickets[near] for near in nearest])),
        )
        for at in order[:SHOWN]
        if chances[at] >= LEAST
    )


def meaning_features(chances: NDArray[Any], title: str, text: str, known: Known, history: History) -> NDArray[Any]:
    """Return a row per component: what a young tracker's words leave open, a mail's meaning tells in any language.

    The logarithm of the chance by words; the cosines of the mail and of its nearest sentence with the likest thing that the component is
    said to be; their mean cosines with its nearest tickets; the cosine of the mail's words with those of its name and description.
    """
    mail = mail_meaning(title, author_text(text))
    alike = list(zip(history.read, mail.likeness_to(history.read), strict=True))
    texts = [(name, known.texts.get(name, "")) for name in known.names]
    described = [term_vector(*one) if one[1] else term_vector("") for one in texts]  # a name alone counts as such
    words = likeness(term_vector(title, text), corpus_of(described, history.rarity), history.rarity)

    def near(name: str) -> float:
        nearest = sorted((likeness for ticket, likeness in alike if name in ticket.components), reverse=True)[:NEAREST]
        return sum(nearest) / max(1, len(nearest))

    things = [max(mail.likeness(one, one) for one in _things(*of_one)) for of_one in texts]
    return np.column_stack([np.log(chances + FAINT), things, [near(name) for name in known.names], words])


def _things(name: str, description: str) -> list[str]:
    """Return what a description says the component to be, thing by thing; without one, its name."""
    return [thing for part in _BETWEEN.split(description) if len(thing := part.strip()) >= SHORTEST] or [name]


def sure_component(guesses: Sequence[ComponentGuess]) -> str:
    """Return the component to write on the ticket; empty if none is probable enough."""
    return next((guess.name for guess in guesses[:1] if guess.sure), "")


def namings_of(title: str, text: str, known: Known, history: History) -> tuple[Naming, ...]:
    """Look for each component's name and aliases; a name is found where all its terms stand in the mail."""
    in_title, everywhere = buckets_of(title), buckets_of(f"{title}\n{text[:TEXT_LIMIT]}")

    def naming(name: str) -> Naming:
        aliases = known.aliases.get(name.casefold(), ())
        for word in (*aliases, name):
            terms = _terms_of_name(word)
            if terms and terms <= everywhere:
                alias = word in aliases
                odds = ALIAS_ODDS if alias else _odds(name, terms, history)
                return Naming(word=word, titled=terms <= in_title, alias=alias, odds=odds)
        return Naming()

    return tuple(map(naming, known.names))


@lru_cache(maxsize=CACHED)
def _terms_of_name(word: str) -> frozenset[int]:
    return buckets_of(word)


def component_features(
    names: Sequence[str], namings: Sequence[Naming], neighbours: Neighbours, history: History
) -> NDArray[Any]:
    """Return a row of `FEATURES` per component."""
    newest, near = newest_of(neighbours, history), neighbours.votes
    weight = neighbours.likeness**SHARPNESS
    fresh = weight * 0.5 ** (near.ages(newest) / SHORT)
    columns = np.array([near.components.get(name, -1) for name in names], dtype=np.int64)  # the last one: of nobody

    def of_names(by_column: NDArray[Any]) -> NDArray[Any]:
        return np.append(by_column, np.zeros(len(near.components) - len(by_column) + 1))[columns]

    def logs(by_column: NDArray[Any]) -> NDArray[Any]:
        each = of_names(by_column)
        total = float(each.sum())
        return np.log(FLOOR + (each / total if total else each))

    closest = of_names((neighbours.likeness[:, None] * near.has).max(axis=0, initial=0.0))
    active = history.work[SHORT].on.sum(axis=0)
    rows = np.array([(bool(one.word), one.titled, one.odds, one.odds * one.titled) for one in namings], dtype=float)
    return np.column_stack(
        [logs(weight @ near.has), logs(fresh @ near.has), logs(active), rows.reshape(-1, 4), closest]
    )


def _odds(name: str, terms: frozenset[int], history: History) -> float:
    """Count tickets with the name in their title: many people write `text` who do not mean the component Text."""
    named = frozenset.intersection(*(frozenset(history.titled.get(term, ())) for term in terms))
    right = sum(name in history.read[place].components for place in named)
    return log((right + 1) / (len(named) - right + 1))


def _evidence(name: str, naming: Naming, nearest: Sequence[Ticket]) -> Iterator[str]:
    if naming.word:
        yield f"named in the {'subject' if naming.titled else 'text'}: {naming.word}"
    alike = [ticket.key for ticket in nearest if name in ticket.components]
    if alike:
        yield f"similar: {', '.join(alike[:SHOWN])}"
