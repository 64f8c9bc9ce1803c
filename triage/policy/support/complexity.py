"""Says how much judgement a customer's matter needs."""

from collections.abc import Collection
from typing import Final

from triage.domain.support.conversations import Complexity
from triage.policy.support.mentions import everywhere, mentioned, reading_of
from triage.policy.support.triggers import asks_for_exception, beyond_articles, failure_words

SEVERAL: Final = 2
MANY: Final = 3
LONG: Final = 160
"""Words; who writes more tells of more than one thing."""
SHORT: Final = 4
"""Words; who writes fewer leaves open what he means."""


def complexity_of(subject: str, text: str, issues: Collection[str]) -> tuple[Complexity, tuple[str, ...]]:
    """Return the complexity with its reasons. `issues` are the categories that the text speaks of."""
    exception = asks_for_exception(text, subject)
    judged = [exception, failure_words(text, subject), beyond_articles(text, subject)]
    reasons = tuple(filter(None, judged))
    if exception or len(reasons) >= SEVERAL or len(issues) >= MANY:
        return Complexity.COMPLEX, reasons or tuple(issues)
    words = reading_of(subject, text).words
    lookup = tuple(one.words for one in mentioned(everywhere(reading_of(subject, text)), "support.lookup"))[:1]
    if reasons or lookup or len(issues) >= SEVERAL or not SHORT <= len(words) <= LONG:
        return Complexity.MODERATE, (*reasons, *lookup)
    return Complexity.SIMPLE, ()
