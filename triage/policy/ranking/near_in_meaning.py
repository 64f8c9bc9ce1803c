"""Finds the tickets that mean what a mail means, in whatever words or language, by the encoder of `policy/classifiers/meaning.py`."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.classifiers.meaning import LONGEST, meaning_of, meanings_of
from triage.policy.cues.language import is_encoded, known_meaning
from triage.policy.cues.semantic_cues import judged
from triage.policy.text.author_text import author_text
from triage.policy.text.sentences import longer_than
from triage.policy.text.word_patterns import sentences_by_line
from triage.policy.ticket.text.summary import summary_of

MOST_SENTENCES: Final = 12
"""Sentences of a mail that are compared one by one."""
LEAST_WORDS: Final = 2
"""Words that a sentence has at least; fewer tell nothing: `Good evening,`."""
NEAR: Final = 0.6
"""Likeness below which a ticket has the subject of the whole project in common with a mail, and nothing else."""


ALIKE: Final = 1.0
"""Likeness from which a ticket is about the same matter, or an earlier case of it."""


class MailMeaning:
    """The meaning of a mail: of the whole, and of its summary and sentences."""

    def __init__(self, whole: NDArray[Any], parts: NDArray[Any]) -> None:
        self._whole = whole
        self._parts = parts

    def likeness(self, text: str, short: str) -> float:
        """Return the cosine of the mail and `text`, plus that of its nearest part and `short`: -2 to 2."""
        return float(self._whole @ known_meaning(text)) + float((self._parts @ known_meaning(short)).max())

    def likeness_to(self, tickets: Sequence[Ticket]) -> list[float]:
        """Return the likeness to each ticket's text and summary."""
        if not tickets:
            return []
        texts = np.array([known_meaning(f"{one.summary}\n{one.description}"[:LONGEST]) for one in tickets])
        summaries = np.array([known_meaning(one.summary[:LONGEST]) for one in tickets])
        likeness: list[float] = (texts @ self._whole + (summaries @ self._parts.T).max(axis=1)).tolist()
        return likeness


@lru_cache(maxsize=4)  # components and tickets that are near ask for the same mail
def mail_meaning(title: str, text: str) -> MailMeaning:
    """Read the author's own text, without quotations and signature."""
    sentences = [one for one in sentences_by_line(text) if longer_than(one, LEAST_WORDS)][:MOST_SENTENCES]
    return MailMeaning(meaning_of(judged(title, text)), np.array(meanings_of([summary_of(title, text), *sentences])))


def near_in_meaning(title: str, text: Untrusted, tickets: Sequence[Ticket]) -> tuple[tuple[Ticket, float], ...]:
    """Return the tickets that are near to a mail in meaning with their likeness, best first; none in a language that the encoder lacks."""
    if not tickets or not is_encoded(f"{title}.\n{text}"):
        return ()
    likeness = mail_meaning(title, author_text(text)).likeness_to(tickets)
    near = [one for one in zip(tickets, likeness, strict=True) if one[1] >= NEAR]
    return tuple(sorted(near, key=lambda one: -one[1]))
