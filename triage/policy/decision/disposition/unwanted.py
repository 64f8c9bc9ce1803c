"""Tells by words and signs how far a mail is not for us, without regard to its sender."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from triage.domain.findings import Disposition
from triage.domain.mail import Kind, Message
from triage.policy.decision.disposition.signs import Sign, signs_of
from triage.policy.decision.disposition.text_classes import ENOUGH, TextClasses, text_classes
from triage.policy.sender.spam_headers import Accusation, ServerVerdict

SIGNED: Final = 1.0
"""Minimum weight of the signs for ignoring a mail: with words alone a person decides."""
PRIOR: Final = -2.0
"""Logarithm of the odds that a mail without words is unwanted."""
MOST: Final = 6.0
"""Most that signs together move the logarithm of the odds, apart from tests of filters."""
LEAST: Final = 0.005
ACQUITTED: Final = 0.15
"""Lower bound of the probability by words, so that signs can outweigh ordinary words."""
HEARSAY: Final = 2.0
"""Weight of an accusation that the sender himself may have written."""
ACQUITTAL: Final = -1.0
LISTED: Final = 3
"""Signs that the evidence names."""
UNWANTED: Final = {
    "spam": Disposition.SPAM,
    "sales": Disposition.NOT_FOR_US,
    "news": Disposition.NEWSLETTER,
    "talk": Disposition.NOT_FOR_US,
    "auto": Disposition.AUTOMATIC,
    "done": Disposition.STATUS,
    "letter": Disposition.NOT_FOR_US,
}
"""Class of the text → disposition."""
TOLD: Final = 0.3
"""Probability by words from which the evidence quotes the sentence that tells most."""
READS_LIKE: Final = {
    "spam": "spam",
    "sales": "a sales mail or an application",
    "news": "a newsletter",
    "talk": "talk that asks nothing of us",
    "auto": "an automatic mail",
    "done": "a report of work that is done",
    "letter": "a business letter to others of us",
}
"""How the evidence names the class of a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwanted:
    """How far a mail is not for us, without regard to its sender."""

    probability: float
    disposition: Disposition
    label: str
    """The likeliest class of the text that is not for us."""
    by_words: float
    enough: bool
    """There are enough words to judge by."""
    signed: bool = False
    """Signs beside the words speak against it."""
    evidence: tuple[str, ...]
    certain: bool = False
    """A filter's test text: nothing else counts."""


def _evidence(signs: Sequence[Sign], text: TextClasses) -> Iterator[str]:
    yield from [sign.text for sign in signs if sign.weight > 0][:LISTED]
    if text.unwanted >= TOLD:
        yield f'reads like {READS_LIKE[text.likeliest]}: "{text.telling()}"'


def unwanted(message: Message, kind: Kind, server: ServerVerdict | None) -> Unwanted:
    """Combine words and signs: start with the odds by words, and add the weight of each sign."""
    text = text_classes(message)
    signs = (*_server_sign(server), *signs_of(message, kind, text))
    moved = sum(sign.weight for sign in signs)
    odds = _odds_of(text) + (moved if moved > MOST else max(-MOST, min(MOST, moved)))
    return Unwanted(
        probability=1 / (1 + exp(-odds)),
        disposition=UNWANTED[text.likeliest],
        label=text.likeliest,
        by_words=text.unwanted,
        enough=text.words >= ENOUGH,
        signed=sum(sign.weight for sign in signs if sign.weight > 0 and not sign.by_words) >= SIGNED,
        evidence=tuple(_evidence(signs, text)),
        certain=moved > MOST + 4,
    )


def _odds_of(text: TextClasses) -> float:
    """Return the logarithm of the odds by words; the fewer words, the nearer to the prior."""
    sure = min(max(text.unwanted, ACQUITTED), 1 - LEAST)
    return PRIOR + (log(sure / (1 - sure)) - PRIOR) * min(1.0, text.words / ENOUGH)


def _server_sign(server: ServerVerdict | None) -> tuple[Sign, ...]:
    """Return hearsay and acquittals as signs; believed accusations decide by themselves."""
    if server is None:
        return ()
    if server.says is Accusation.HAM:
        return (Sign(server.evidence, ACQUITTAL),)
    return (Sign(server.evidence, HEARSAY),)
