"""Computes how sure an answer is, from evidence and never from what a model says of itself, and when a person decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triage.domain.cases import Case
from triage.domain.findings import Intent
from triage.domain.mail import Trust
from triage.policy.decision.permission import Ask, Decision, Verdict
from triage.policy.letters.recipients import UNSAFE_FLAGS
from triage.policy.letters.reply.intent import intent_of
from triage.policy.text.commands import commands_in

WEIGHTS: Final[Mapping[str, float]] = {"classification": 0.35, "retrieval": 0.2, "completeness": 0.2, "trust": 0.25}
"""Part → weight; together 1."""
TRUST: Final[Mapping[Trust, float]] = {
    Trust.VERIFIED: 1.0,
    Trust.WEAK: 0.6,
    Trust.UNVERIFIED: 0.3,
    Trust.FAILED: 0.0,
}
DEFAULT_THRESHOLD: Final = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """What the confidence in an answer is computed from."""

    intent_confidence: float
    disposition_confidence: float = 1.0
    ticket: str = ""
    """Key of the mail's ticket, which the answer is about."""
    certain: bool = False
    """Thread or evidence beyond likeness ties the mail to its ticket, or it is new and nothing similar is known."""
    tools_wanted: int = 0
    tools_failed: int = 0
    """Tools that failed or are missing although the answer would be better with them."""
    placeholders: bool = False
    """The draft lacks something that its kind needs, such as free times."""
    trust: Trust = Trust.UNVERIFIED
    always: tuple[str, ...] = ()
    """Why a person decides whatever the confidence is, as `always_person` says."""
    fallback: str = ""
    """Why the draft was not made as it should have been; empty if it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """How sure an answer is, and what a person has to decide about."""

    value: float
    parts: Mapping[str, float]
    """Part → 0 to 1."""
    person: tuple[str, ...] = ()
    """Why a person decides; empty if the answer may go by itself."""


def confidence_of(facts: AnswerFacts, threshold: float = DEFAULT_THRESHOLD) -> Confidence:
    """Weigh the evidence. What always goes to a person is told first, then trouble of the draft, then a low value."""
    parts = {
        "classification": facts.intent_confidence * facts.disposition_confidence,
        "retrieval": 1.0 if facts.certain and facts.ticket else 0.6 if facts.ticket else 0.3,
        "completeness": _completeness(facts),
        "trust": TRUST[facts.trust],
    }
    value = round(sum(WEIGHTS[name] * part for name, part in parts.items()), 3)
    fallback = [facts.fallback] if facts.fallback else []
    low = [f"confidence {value:.0%} is below {threshold:.0%}"] if value < threshold else []
    return Confidence(value=value, parts=parts, person=(*facts.always, *fallback, *low))


def _completeness(facts: AnswerFacts) -> float:
    done = 1.0 - facts.tools_failed / facts.tools_wanted if facts.tools_wanted else 1.0
    return done * (0.5 if facts.placeholders else 1.0) * (0.5 if facts.fallback else 1.0)


def always_person(case: Case) -> tuple[str, ...]:
    """Return the reasons that no confidence and no table of autonomy outweighs."""
    mail = case.mail
    found = case.classification.intent or intent_of(mail, case.cues, case.classification.disposition, case.identity)
    named = (
        (found.intent is Intent.COMPLAINT, "a complaint is never answered without a person"),
        (case.identity.trust is not Trust.VERIFIED, f"the sender is {case.identity.trust}"),
        (mail.hidden_text, "the mail has hidden text"),
        (bool(commands_in(mail.text)), "the mail speaks to a language model"),
        (bool(UNSAFE_FLAGS & {*case.flags, *mail.flags}), "the sender looks like somebody else"),
    )
    return tuple(reason for holds, reason in named if holds)


def with_reasons(ruling: Verdict, shown: str, reasons: Sequence[str]) -> Verdict:
    """Return the verdict with a person deciding, for these reasons; what is refused or only thought stays so."""
    if not reasons or ruling.word in {Decision.REFUSE, Decision.SHADOW}:
        return ruling
    if ruling.asks:
        return replace(ruling, asks=tuple(replace(ask, why=_joined(ask.why, reasons)) for ask in ruling.asks))
    why = "; ".join(reasons)
    return replace(ruling, word=Decision.ASK, reason=why, asks=(Ask(field="reply", value=shown, why=why, whole=True),))


def _joined(why: str, reasons: Sequence[str]) -> str:
    """Add the reasons that the sentence does not have yet."""
    return "; ".join((why, *(one for one in reasons if one not in why)))
