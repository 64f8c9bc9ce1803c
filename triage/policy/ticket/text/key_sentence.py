"""Finds the sentence of a mail that says what is wrong or wanted, and what the subject says of that.

Two models over words and meaning (decision 287), trained by `python -m tests.training.summary` on our own mails.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import log
from typing import Final

from triage.policy.classifiers.linear_classifier import linear_classifier
from triage.policy.cues.request_type import symptoms_in, wishes_in
from triage.policy.text.sentences import UNSPACED

SENTENCE: Final = "key_sentence"
"""Ranks the sentences of a text."""
SUBJECT: Final = "subject_line"
SAYS_ALL: Final = {False: 0.6, True: 0.45}
"""Probability from which a subject says all, without and with a listed symptom or wish."""
SAYS_NOTHING: Final = 0.45
LEAST: Final = 4.8
"""What a sentence must be worth: of those that were marked 99.5 of a hundred are worth more, of greetings and thanks hardly any."""
EARLY: Final = 2.5
"""What the last sentence costs beside the first one: people begin with what matters."""
LENGTH: Final = 2.3
"""What a text is worth that is e times as long: few words say little."""
MOST: Final = 24
"""Sentences that are judged."""


class SubjectSays(StrEnum):
    """What a subject says of the matter: all, the name of a thing alone, or nothing."""

    ALL = "all"
    NAME = "name"
    NOTHING = "nothing"


def subject_says(subject: str) -> SubjectSays:
    """Tell what a subject says; in doubt it names the thing."""
    chances = linear_classifier(SUBJECT).classify(subject).probabilities
    says_all = chances[SubjectSays.ALL]
    if says_all >= SAYS_ALL[False] or (says_all >= SAYS_ALL[True] and _is_listed(subject)):
        return SubjectSays.ALL
    return SubjectSays.NOTHING if chances[SubjectSays.NOTHING] >= SAYS_NOTHING else SubjectSays.NAME


def _is_listed(subject: str) -> bool:
    """Tell whether the words of a subject report a fault or a wish by the lists."""
    return " " in subject and bool(symptoms_in(subject) or wishes_in(subject))


def key_sentence(sentences: Sequence[str], least: float = LEAST) -> str:
    """Return the sentence that says best what is wrong or wanted; empty if none is worth the least."""
    judged = sentences[:MOST]
    late = (EARLY * at / len(judged) for at in range(len(judged)))
    found = [
        (one - after, text) for one, after, text in zip(worth_of(judged), late, judged, strict=True) if one >= least
    ]
    return max(found, key=lambda one: one[0], default=(0.0, ""))[1]


def worth_of(sentences: Sequence[str]) -> list[float]:
    """Return how well each sentence says what is wrong or wanted, in logits, wherever it stands."""
    scores = linear_classifier(SENTENCE).scores_of(sentences)
    return [float(score[0]) + _for_length(one) for score, one in zip(scores, sentences, strict=True)]


def prior_of(sentences: Sequence[str]) -> list[float]:
    """Return what each sentence is worth by its place and its length alone, in logits."""
    return [_for_length(one) - EARLY * at / len(sentences) for at, one in enumerate(sentences)]


def _for_length(sentence: str) -> float:
    """Return what a sentence is worth by its length; a Chinese or Japanese sign counts as two letters."""
    return LENGTH * log(1 + len(sentence) + len(UNSPACED.findall(sentence)))
