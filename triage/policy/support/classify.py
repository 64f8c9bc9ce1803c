"""Classifies what customers write: category, urgency, complexity and tags, with a calibrated confidence and evidence.

Word lists find topics; a classifier that was trained on examples weighs them together with all other words.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triage.config.model_files import FOLDER
from triage.config.support.examples import shipped_examples
from triage.domain.support.conversations import Complexity, SupportClass
from triage.policy.classifiers.judged_text import judged_text
from triage.policy.intents.classifier import IntentClassifier, read_intents, train
from triage.policy.intents.features import Sample
from triage.policy.support.mentions import everywhere, mentioned, reading_of
from triage.policy.support.priority import urgency_of
from triage.policy.support.topics import CATEGORIES, GENERAL, OF_TOPIC, Topics, topics_of
from triage.policy.support.triggers import asks_for_exception, beyond_articles, failure_words
from triage.policy.text.sentences import UNSPACED, folded

SEVERAL: Final = 2
MANY: Final = 3
LONG: Final = 160
"""Words; who writes more tells of more than one thing."""
SHORT: Final = 4
"""Words; who writes fewer leaves open what he means."""

MODEL: Final = "support"
"""Trained by `python -m tests.training.support`."""
LONGEST: Final = 4_000
UNLIKE: Final = 0.5
"""Confidence is so much lower where a text is like no example."""
SHOWN: Final = 5
IDLE: Final = folded("search.stop_words") | folded("detection.common")
"""Words that are no evidence: they stand in all texts."""
STAND_INS: Final = frozenset({"xmoney", "xpercent", "xcode"})
"""What `judged_text` writes instead of sums and lines of programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SupportClassifier:
    """The configured categories, and what was learnt about them."""

    intents: IntentClassifier

    @property
    def categories(self) -> tuple[str, ...]:
        return self.intents.labels

    @property
    def fallback(self) -> str:
        """The category of a text that belongs to none: `general` if there is one."""
        return GENERAL if GENERAL in self.categories else ""


@lru_cache
def shipped() -> SupportClassifier:
    """Return the classifier of the shipped categories, read once per process. Raises `SettingsInvalid`."""
    return SupportClassifier(intents=read_intents(FOLDER / f"{MODEL}.npz"))


@lru_cache(maxsize=4)
def configured(categories: tuple[tuple[str, tuple[str, ...]], ...]) -> SupportClassifier:
    """Return the classifier of the categories of triage.yaml, learnt once per process."""
    return learnt(dict(categories))


def learnt(categories: Mapping[str, Sequence[str]]) -> SupportClassifier:
    """Learn configured categories from their examples; a shipped category brings its shipped examples.

    A category's name counts as an example of it. Learning takes seconds, so it is done at the first mail.
    """
    if not categories or (set(categories) == set(CATEGORIES) and not any(categories.values())):
        return shipped()
    given = [(name, text) for name, examples in categories.items() for text in (name, *examples)]
    known = [(name, text) for name, text in shipped_examples() if name in categories]
    pairs = [*given, *known]
    return SupportClassifier(intents=train([sample_of("", text) for _, text in pairs], [name for name, _ in pairs]))


def classify(subject: str, text: str, by: SupportClassifier | None = None) -> SupportClass:
    """Classify a text with its subject; `by` is the classifier of the configured categories, by default of the shipped ones."""
    classifier = by or shipped()
    topics = topics_of(subject, text)
    sample = sample_of(subject, text, topics)
    judgement = classifier.intents.judge([sample])[0]
    label = judgement.label if judgement.known else classifier.fallback or judgement.label
    urgency, pressing = urgency_of(subject, text, topics.names, general=label == GENERAL)
    telling = (word for word in classifier.intents.evidence(sample, label) if not _idle(word))
    evidence = (*topics.of(label), *telling)
    return SupportClass(
        issue_type=label,
        urgency=urgency,
        complexity=complexity_of(subject, text, topics.categories),
        tags=topics.tags,
        confidence=round(judgement.probability * (1.0 if judgement.known else UNLIKE), 3),
        evidence=(*tuple(dict.fromkeys(map(str.casefold, evidence)))[:SHOWN], *pressing),
    )


def sample_of(subject: str, text: str, topics: Topics | None = None) -> Sample:
    """Return what is judged of a text. Training and use go through this function alone."""
    found = topics or topics_of(subject, text)
    cues = [name for name, words in found.words.items() for _ in words]
    return Sample(judged_text(subject, text[:LONGEST]), (*cues, *(f"={OF_TOPIC[f'topic.{name}']}" for name in cues)))


def _idle(word: str) -> bool:
    """Tell whether a word says nothing to a reader; neither do two letters of a script without blanks."""
    return word in IDLE or word in STAND_INS or bool(UNSPACED.search(word))


def complexity_of(subject: str, text: str, issues: Collection[str]) -> Complexity:
    """Return the complexity. `issues` are the categories that the text speaks of."""
    exception = asks_for_exception(text, subject)
    reasons = [exception, failure_words(text, subject), beyond_articles(text, subject)]
    if exception or sum(map(bool, reasons)) >= SEVERAL or len(issues) >= MANY:
        return Complexity.COMPLEX
    reading = reading_of(subject, text)
    looked_up = any(mentioned(everywhere(reading), "support.lookup"))
    if any(reasons) or looked_up or len(issues) >= SEVERAL or not SHORT <= len(reading.words) <= LONG:
        return Complexity.MODERATE
    return Complexity.SIMPLE
