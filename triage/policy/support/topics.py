"""Finds which of the topics of a help desk a text speaks of, and which of the shipped categories each belongs to."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.policy.support.mentions import Mention, mentioned, reading_of

TECHNICAL: Final = "technical"
BILLING: Final = "billing"
ACCOUNT: Final = "account"
BOOKING: Final = "booking"
GENERAL: Final = "general"
CATEGORIES: Final = (TECHNICAL, BILLING, ACCOUNT, BOOKING, GENERAL)
"""The shipped categories."""
OF_TOPIC: Final[Mapping[str, str]] = {
    "topic.login": TECHNICAL,
    "topic.crash": TECHNICAL,
    "topic.slow": TECHNICAL,
    "topic.compatibility": TECHNICAL,
    "topic.scan": TECHNICAL,
    "topic.defect": TECHNICAL,
    "topic.payment": BILLING,
    "topic.refund": BILLING,
    "topic.invoice": BILLING,
    "topic.charge": BILLING,
    "topic.profile": ACCOUNT,
    "topic.password": ACCOUNT,
    "topic.security": ACCOUNT,
    "topic.deletion": ACCOUNT,
    "topic.reservation": BOOKING,
    "topic.cancellation": BOOKING,
    "topic.rescheduling": BOOKING,
    "topic.waitlist": BOOKING,
    "topic.attendance": BOOKING,
    "topic.plans": GENERAL,
    "topic.how_to": GENERAL,
    "topic.feedback": GENERAL,
    "topic.wish": GENERAL,
}
MOST_TAGS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics:
    """The topics of a text, the most frequent first, each with its words."""

    words: Mapping[str, tuple[str, ...]]
    """Topic without its section → the words that speak of it."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.words)

    @property
    def tags(self) -> tuple[str, ...]:
        """The topics as tags: `how-to`."""
        return tuple(name.replace("_", "-") for name in self.words)[:MOST_TAGS]

    @property
    def categories(self) -> tuple[str, ...]:
        """The shipped categories that the topics belong to; questions and opinions are about one of the others."""
        found = dict.fromkeys(OF_TOPIC[f"topic.{name}"] for name in self.words)
        return tuple(name for name in found if name != GENERAL) or tuple(found)

    def of(self, category: str) -> tuple[str, ...]:
        """Return the words that speak of a shipped category."""
        return tuple(
            word for name, words in self.words.items() if OF_TOPIC[f"topic.{name}"] == category for word in words
        )


def topics_of(subject: str, text: str) -> Topics:
    by_topic: dict[str, list[Mention]] = {}
    for found in mentioned(reading_of(subject, text), *OF_TOPIC):
        by_topic.setdefault(found.label, []).append(found)
    order = Counter({name: len(those) for name, those in by_topic.items()}).most_common()
    return Topics(words={name: tuple(dict.fromkeys(one.words for one in by_topic[name])) for name, _ in order})
