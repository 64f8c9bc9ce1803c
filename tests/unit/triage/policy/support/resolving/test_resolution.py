"""The resolver's judgement: which rule decides, with which trigger."""

from dataclasses import replace

import pytest

from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage, PassageHit
from triage.domain.support.conversations import Attempt, EscalationTrigger, SupportAgent
from triage.policy.support.resolving.needs import DataNeeds
from triage.policy.support.resolving.resolution import DATA_CONFIDENCE, ResolutionFacts, resolution_of

SURE = KnowledgeAnswer(sentences=(CitedSentence(text="Yes.", passage="help:a#0"),), confidence=0.9)
HIT = PassageHit(passage=Passage(article="help:a", number=0, title="A"), similarity=1.0, asked="a", asked_in="cs")
UNSURE = replace(SURE, confidence=0.4)
FACTS = ResolutionFacts(issue_type="billing", answer=SURE)
REFUND = DataNeeds(data=("my booking",), exception=("could you refund",))
OWN = DataNeeds(data=("my plan",))
STATE = DataNeeds(data=("my plan",), state=("how many",))
FAILED = Attempt(agent=SupportAgent.RESOLVER, outcome="answered", issue_type="billing", answered=True)
NO_REFUND = {"refund_processing": {"error": "Refund requires approval", "action": "escalate"}}


@pytest.mark.parametrize(
    ("facts", "trigger", "reason"),
    [
        (
            replace(FACTS, asks_for_person="a human"),
            EscalationTrigger.USER_REQUEST,
            "the customer asks for a person: “a human”",
        ),
        (
            replace(FACTS, with_person=True),
            EscalationTrigger.USER_REQUEST,
            "a person has taken this conversation over",
        ),
        (
            replace(FACTS, earlier=(FAILED, FAILED)),
            EscalationTrigger.SEVERAL_FAILURES,
            "several attempts failed: 2 answers, and the customer writes again",
        ),
        (
            replace(FACTS, needs=REFUND),
            EscalationTrigger.POLICY_EXCEPTION,
            "policy exception: “could you refund” needs a person's decision",
        ),
        (
            replace(FACTS, needs=REFUND, can_look=True, looked={}),
            EscalationTrigger.POLICY_EXCEPTION,
            "policy exception: “could you refund” needs a person's decision",
        ),
        (
            replace(FACTS, looked=NO_REFUND, can_look=True),
            EscalationTrigger.POLICY_EXCEPTION,
            "policy exception: refund_processing says: Refund requires approval",
        ),
        (
            replace(FACTS, answer=KnowledgeAnswer(refused="no passage")),
            EscalationTrigger.NOTHING_FOUND,
            "no knowledge found: no passage",
        ),
        (
            replace(FACTS, issue_type="technical", answer=KnowledgeAnswer()),
            EscalationTrigger.TECHNICAL,
            "technical issue beyond the knowledge base",
        ),
        (
            replace(FACTS, answer=replace(SURE, hits=(HIT,)), other_languages=False),
            EscalationTrigger.LOW_CONFIDENCE,
            "low confidence: asked in Czech, the articles are in another language",
        ),
        (
            replace(FACTS, answer=replace(SURE, disputed="“14 days” (Returns) and “30 days” (Terms)")),
            EscalationTrigger.LOW_CONFIDENCE,
            "low confidence: articles disagree: “14 days” (Returns) and “30 days” (Terms)",
        ),
        (
            replace(FACTS, lacking="recovery codes"),
            EscalationTrigger.LOW_CONFIDENCE,
            "low confidence: the answer needs “recovery codes”, which the customer does not have",
        ),
        (
            replace(FACTS, answer=KnowledgeAnswer(refused="no passage", hits=(HIT,))),
            EscalationTrigger.NOTHING_FOUND,
            "no knowledge found: no passage; asked in Czech, the articles are in another language",
        ),
        (replace(FACTS, answer=UNSURE), EscalationTrigger.LOW_CONFIDENCE, "low confidence: 0.40 of 0.70"),
    ],
)
def test_six_triggers(facts: ResolutionFacts, trigger: EscalationTrigger, reason: str) -> None:
    """Each names itself and its evidence, and nothing is answered."""
    found = resolution_of(facts)

    assert (found.resolved, found.triggers, found.escalation_reason) == (False, (trigger,), reason)
    assert found.confidence < 0.7


@pytest.mark.parametrize(
    "facts",
    [
        replace(FACTS, needs=STATE, can_look=True),
        replace(FACTS, needs=OWN, answer=UNSURE, can_look=True),
        replace(FACTS, needs=REFUND, can_look=True),
    ],
)
def test_data_first(facts: ResolutionFacts) -> None:
    """How something of one's own stands is looked up, even where an article would answer; once."""
    assert resolution_of(facts).needs_data
    assert not resolution_of(replace(facts, looked={})).needs_data
    assert not resolution_of(replace(facts, can_look=False)).needs_data


def test_looked_up_data_answer() -> None:
    """What a tool has read of the account answers a question for it."""
    found = resolution_of(
        replace(FACTS, needs=STATE, looked={"t": {"tier": "x"}}, read={"t": {"tier": "x"}}, answer=UNSURE)
    )

    assert (found.resolved, found.confidence) == (True, DATA_CONFIDENCE)


def test_a_sure_answer_in_another_language_resolves() -> None:
    """The customer reads the articles' words; what is less than sure goes to a person, who is told the language."""
    facts = replace(FACTS, answer=replace(SURE, hits=(HIT,)))
    unsure = resolution_of(replace(facts, answer=replace(UNSURE, hits=(HIT,))))

    assert resolution_of(facts).resolved
    assert (unsure.resolved, "asked in Czech" in unsure.escalation_reason) == (False, True)


def test_data_without_words_of_another_language() -> None:
    """What a tool has read goes to the customer; sentences of articles in another language than his own do not."""
    looked = {"t": {"tier": "x"}}
    facts = replace(FACTS, needs=STATE, looked=looked, read=looked, answer=replace(SURE, hits=(HIT,)))

    assert resolution_of(facts).resolved
    assert not resolution_of(facts).articles_used


def test_a_sure_answer_resolves() -> None:
    """From the threshold on, also where the writer speaks of the own account without asking how it stands."""
    found = resolution_of(replace(FACTS, needs=OWN, can_look=True))

    assert (found.resolved, found.confidence, found.articles_used) == (True, 0.9, ("help:a",))
    assert not resolution_of(replace(FACTS, resolve_from=0.95)).resolved
    assert resolution_of(replace(FACTS, earlier=(FAILED, replace(FAILED, issue_type="account")))).resolved


def test_a_wish_is_not_answered_by_what_the_account_looks_like() -> None:
    """`Please cancel my reservation` asks for no list of reservations: a person gets it, with what was looked up."""
    wish = ResolutionFacts(
        needs=DataNeeds(data=("my reservation",)), can_look=True, looked={"list": {}}, read={"list": {"a": 1}}
    )

    assert not resolution_of(wish).resolved
    assert resolution_of(replace(wish, needs=DataNeeds(data=("my reservation",), state=("status of",)))).resolved


def test_an_emergency_is_not_left_to_an_article() -> None:
    """A breach gets no help page about changing the address, a stack trace none about the app; a question about an API may."""
    breach, trace = replace(FACTS, critical=True), replace(FACTS, beyond="stack trace", asks=False)

    assert resolution_of(breach).triggers == resolution_of(trace).triggers == (EscalationTrigger.TECHNICAL,)
    assert "“stack trace”" in resolution_of(trace).escalation_reason
    assert resolution_of(replace(trace, asks=True)).resolved


def test_a_wish_wants_a_surer_article() -> None:
    """Mostly an article near a wish is about what there is; a question with a wish in it is a question."""
    wish = replace(FACTS, answer=replace(SURE, confidence=0.8), wishes=True, asks=False)

    assert resolution_of(wish).escalation_reason == "low confidence: 0.80 of 0.90 for a wish"
    assert resolution_of(replace(wish, asks=True)).resolved
    assert resolution_of(replace(wish, answer=SURE)).resolved


def test_another_question_is_no_failure() -> None:
    """Two answers from other articles have served the customer; two from this one have not, unless he asks what another passage answers."""
    other = replace(FAILED, passages=("help:b#0", "help:c#1"))
    same = replace(FAILED, passages=("help:a#3",))

    assert resolution_of(replace(FACTS, earlier=(other, other))).resolved
    assert resolution_of(replace(FACTS, earlier=(same, same))).resolved
    assert not resolution_of(replace(FACTS, earlier=(same, same), asks=False)).resolved


def test_the_same_answer_is_not_given_to_the_same_report() -> None:
    """Who says it again after the very same answer gets a person; who asks further is answered from it."""
    had = replace(FAILED, passages=("help:a#0",))
    again = resolution_of(replace(FACTS, earlier=(had,), asks=False))

    assert again.triggers == (EscalationTrigger.SEVERAL_FAILURES,)
    assert again.escalation_reason.endswith("the customer has had this answer, and says it again")
    assert resolution_of(replace(FACTS, earlier=(had, had), asks=True)).resolved


def test_thanks_for_an_answer_want_no_other_one() -> None:
    """Before any answer they are only polite."""
    thanks = replace(FACTS, answer=UNSURE, settled="thanks")

    assert resolution_of(replace(thanks, earlier=(FAILED,))).settled == "thanks"
    assert not resolution_of(thanks).resolved


def test_what_stays_open_goes_to_a_person_and_the_rest_is_answered() -> None:
    """The person reads which question is left and what articles say otherwise; data are looked up for him before."""
    left = replace(SURE, open=("Is it warm?",), disputed="“14 days” (A) and “30 days” (B)")
    facts = replace(FACTS, answer=left)
    found = resolution_of(facts)

    assert (found.resolved, found.partly, found.triggers) == (False, True, (EscalationTrigger.NOTHING_FOUND,))
    assert "“Is it warm?” has no sure answer; articles disagree: “14 days” (A)" in found.escalation_reason
    assert resolution_of(replace(facts, needs=OWN, can_look=True)).needs_data
    looked = {"t": {"tier": "x"}}
    assert resolution_of(replace(facts, needs=STATE, can_look=True, looked=looked, read=looked)).partly
    assert resolution_of(replace(facts, needs=replace(REFUND, data=()))).partly
    assert not resolution_of(replace(facts, asks_for_person="a human")).partly


def test_data_stand_alone_beside_an_unsure_article() -> None:
    """An article that would not have been sent by itself is not sent below the customer's data, either."""
    facts = replace(FACTS, needs=STATE, can_look=True, looked={}, read={"plan": {"tier": "basic"}})
    alone, beside = (resolution_of(replace(facts, answer=one)).answer for one in (UNSURE, SURE))

    assert alone
    assert beside
    assert (alone.sentences, beside.sentences) == ((), SURE.sentences)
