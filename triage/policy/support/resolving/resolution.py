"""Judges an attempt to resolve a conversation: answered, data first, or a person, with the trigger that says why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triage.config.support.confidence import RESOLVE_FROM
from triage.domain.conversation import Json
from triage.domain.support.articles import KnowledgeAnswer
from triage.domain.support.conversations import Attempt, EscalationTrigger, Resolution
from triage.policy.cues.language import NAMES
from triage.policy.support.resolving.needs import DataNeeds

TECHNICAL: Final = "technical"
MOST_FAILURES: Final = 2
"""So many answers from one article, after which the customer writes again, are several failures; so are those from the account."""
DATA_CONFIDENCE: Final = 0.8
"""Confidence of an answer that says what a tool has read of the proven writer's own account."""


TAKEN_OVER: Final = "a person has taken this conversation over"
MOST_ELSEWHERE: Final = 0.5
"""Confidence of an answer in another language than the question's that goes to a person, at most."""
MOST_DISPUTED: Final = 0.5
"""Confidence of an answer with which another article disagrees, at most."""
WISH_FROM: Final = 0.9
"""Confidence from which an article answers a wish for something new; mostly it is about what there is."""
MOST_LACKING: Final = 0.5
"""Confidence of an answer that needs what the customer lacks, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolutionFacts:
    """What is known when the resolver judges."""

    issue_type: str = "general"
    asks_for_person: str = ""
    """The words by which the customer asks for a person; empty if he does not."""
    asks: bool = True
    """The mail is a question, and does not say that earlier help failed; else it reports or wishes something."""
    critical: bool = False
    """It is classified as critical: a breach, an outage, lost data."""
    beyond: str = ""
    """The words of a technical matter that articles for customers do not cover."""
    wishes: bool = False
    """It wishes for something that does not exist yet."""
    settled: str = ""
    """The words that say that all is well, where the mail says nothing else."""
    needs: DataNeeds = field(default_factory=DataNeeds)
    can_look: bool = False
    """The route's agent has tools that can look data up."""
    looked: Mapping[str, Json] | None = None
    """What the tools brought; None before they ran."""
    read: Mapping[str, Json] = field(default_factory=dict)
    """Those of the results that are about the writer's data and no errors."""
    answer: KnowledgeAnswer = field(default_factory=KnowledgeAnswer)
    lacking: str = ""
    """What the customer says that he lacks and the answer tells him to use."""
    earlier: Sequence[Attempt] = ()
    with_person: bool = False
    other_languages: bool = True
    """A sure answer goes to a customer who writes in another language than its article."""
    resolve_from: float = RESOLVE_FROM


def resolution_of(facts: ResolutionFacts) -> Resolution:
    """Return the judgement; the first rule that has one decides."""
    return next(found for rule in RULES if (found := rule(facts)) is not None)


def failures(facts: ResolutionFacts) -> int:
    """Count the answers on this issue type and from this article after which the customer has written again.

    Whoever asks about something else has been served: a question that another passage answers is about something else, too.
    Where nothing says what was answered from, the type counts alone.
    """
    now = {_place(one.passage, facts) for one in facts.answer.sentences}
    return sum(
        one.answered
        and one.issue_type == facts.issue_type
        and not (one.passages and now and now.isdisjoint(_place(each, facts) for each in one.passages))
        for one in facts.earlier
    )


def repeats(facts: ResolutionFacts) -> bool:
    """Tell whether the answer is one that the customer has had in this conversation."""
    now = {one.passage for one in facts.answer.sentences}
    return bool(now) and any(one.answered and now == set(one.passages) for one in facts.earlier)


def _place(passage: str, facts: ResolutionFacts) -> str:
    """Return what an answer is compared by: the passage where the mail asks, the article where it reports that this did not help."""
    return passage if facts.asks else passage.partition("#")[0]


def _escalated(
    facts: ResolutionFacts, trigger: EscalationTrigger, why: str = "", confidence: float = 0.0
) -> Resolution:
    return Resolution(
        resolved=False,
        confidence=confidence,
        answer=facts.answer,
        escalation_reason=f"{trigger}: {why}" if why else str(trigger),
        triggers=(trigger,),
    )


def _person(facts: ResolutionFacts) -> Resolution | None:
    if facts.with_person:
        return replace(_escalated(facts, EscalationTrigger.USER_REQUEST), escalation_reason=TAKEN_OVER)
    if not facts.asks_for_person:
        return None
    return _escalated(facts, EscalationTrigger.USER_REQUEST, f"“{facts.asks_for_person}”")


def _settled(facts: ResolutionFacts) -> Resolution | None:
    """Whoever says thanks for an answer wants no other one."""
    if not facts.settled or not any(one.answered for one in facts.earlier):
        return None
    return Resolution(resolved=True, confidence=1.0, settled=facts.settled)


def _beyond(facts: ResolutionFacts) -> Resolution | None:
    """An emergency, and a report of a matter that customers' articles do not cover, is for a person, whatever an article says near it."""
    if facts.critical:
        return _escalated(facts, EscalationTrigger.TECHNICAL, "what is critical is not left to an article")
    if facts.beyond and not facts.asks:
        return _escalated(facts, EscalationTrigger.TECHNICAL, f"“{facts.beyond}”")
    return None


def _several(facts: ResolutionFacts) -> Resolution | None:
    if repeats(facts) and not facts.asks:
        return _escalated(
            facts, EscalationTrigger.SEVERAL_FAILURES, "the customer has had this answer, and says it again"
        )
    count = failures(facts)
    if count < MOST_FAILURES or (repeats(facts) and facts.asks):
        return None
    return _escalated(facts, EscalationTrigger.SEVERAL_FAILURES, f"{count} answers, and the customer writes again")


def _exception(facts: ResolutionFacts) -> Resolution | None:
    if not facts.needs.exception:
        return None
    reason = f"“{facts.needs.exception[0]}” needs a person's decision"
    if facts.can_look and facts.looked is None:
        return Resolution(resolved=False, confidence=0.0, answer=facts.answer, needs_data=reason)
    return replace(_escalated(facts, EscalationTrigger.POLICY_EXCEPTION, reason), partly=bool(facts.answer.open))


def _data(facts: ResolutionFacts) -> Resolution | None:
    unsure = facts.answer.open or facts.answer.confidence < facts.resolve_from
    asked = facts.needs.data and (facts.needs.state or unsure)
    if not asked or not facts.can_look or facts.looked is not None:
        return None
    return Resolution(
        resolved=False,
        confidence=facts.answer.confidence,
        answer=facts.answer,
        needs_data=f"the customer asks about {facts.needs.data[0]!r}",
    )


def _refused_tool(facts: ResolutionFacts) -> Resolution | None:
    for tool, result in (facts.looked or {}).items():
        if isinstance(result, Mapping) and "error" in result and result.get("action"):
            trigger = EscalationTrigger.POLICY_EXCEPTION
            return _escalated(facts, trigger, f"{tool} says: {result.get('error', 'a person is needed')}")
    return None


def _answered_by_data(facts: ResolutionFacts) -> Resolution | None:
    if not facts.needs.state or not facts.needs.data or not facts.read or facts.answer.open:
        return None  # a wish or a report is not answered by what the account looks like
    confidence = max(DATA_CONFIDENCE, facts.answer.confidence)
    quotable = not (facts.answer.asked_in or facts.answer.disputed)
    beside = quotable and facts.answer.confidence >= DATA_CONFIDENCE
    answer = facts.answer if beside else replace(facts.answer, sentences=())
    return Resolution(resolved=confidence >= facts.resolve_from, confidence=confidence, answer=answer)


def _nothing(facts: ResolutionFacts) -> Resolution | None:
    if facts.answer.sentences:
        return None
    technical = facts.issue_type == TECHNICAL
    trigger = EscalationTrigger.TECHNICAL if technical else EscalationTrigger.NOTHING_FOUND
    return _escalated(facts, trigger, "; ".join(filter(None, (facts.answer.refused, _elsewhere(facts.answer)))))


def _open(facts: ResolutionFacts) -> Resolution | None:
    """What is sure is answered; a person takes over what the mail asks beside it."""
    if not facts.answer.open:
        return None
    left = " ".join(f"“{one}”" for one in facts.answer.open)
    disagree = f"; articles disagree: {facts.answer.disputed}" if facts.answer.disputed else ""
    why = f"{left} has no sure answer{disagree}; the rest is answered"
    return replace(_escalated(facts, EscalationTrigger.NOTHING_FOUND, why, facts.answer.confidence), partly=True)


def _disputed(facts: ResolutionFacts) -> Resolution | None:
    """Nobody is told what one article says while another one says otherwise: a person knows which of them is right."""
    if not facts.answer.disputed:
        return None
    why = f"articles disagree: {facts.answer.disputed}"
    return _escalated(facts, EscalationTrigger.LOW_CONFIDENCE, why, min(facts.answer.confidence, MOST_DISPUTED))


def _lacking(facts: ResolutionFacts) -> Resolution | None:
    """Nobody is told to use what he has just said is lost."""
    if not facts.lacking:
        return None
    why = f"the answer needs “{facts.lacking}”, which the customer does not have"
    return _escalated(facts, EscalationTrigger.LOW_CONFIDENCE, why, min(facts.answer.confidence, MOST_LACKING))


def _elsewhere(answer: KnowledgeAnswer) -> str:
    """Say that question and articles are of two languages; nothing where they are not."""
    code = answer.asked_in
    return f"asked in {NAMES.get(code, code)}, the articles are in another language" if code else ""


def _other_language(facts: ResolutionFacts) -> Resolution | None:
    """Whoever writes in another language than the articles gets only a sure quotation of them; else a person does."""
    sure = facts.other_languages and facts.answer.confidence >= facts.resolve_from
    if sure or not (language := _elsewhere(facts.answer)):
        return None
    return _escalated(facts, EscalationTrigger.LOW_CONFIDENCE, language, min(facts.answer.confidence, MOST_ELSEWHERE))


def _unsure(facts: ResolutionFacts) -> Resolution | None:
    confidence = facts.answer.confidence
    wanted = max(facts.resolve_from, WISH_FROM) if facts.wishes and not facts.asks else facts.resolve_from
    if confidence >= wanted:
        return None
    shares = f"{confidence:.2f} of {wanted:.2f}{' for a wish' if wanted > facts.resolve_from else ''}"
    return _escalated(facts, EscalationTrigger.LOW_CONFIDENCE, shares, confidence)


def _resolved(facts: ResolutionFacts) -> Resolution | None:
    return Resolution(resolved=True, confidence=facts.answer.confidence, answer=facts.answer)


RULES: Final[tuple[Callable[[ResolutionFacts], Resolution | None], ...]] = (
    _person,
    _exception,
    _settled,
    _beyond,
    _several,
    _data,
    _refused_tool,
    _answered_by_data,
    _nothing,
    _lacking,
    _open,
    _disputed,
    _other_language,
    _unsure,
    _resolved,
)
"""Triggers that no answer outweighs come first, then data, then the confidence of the answer."""
