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
