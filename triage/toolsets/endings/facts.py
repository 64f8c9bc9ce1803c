"""Hands mails to a person that only say that something works again, or only ask for news of a ticket; for the playbook."""

from typing import Final

from triage.domain.mail import Message
from triage.policy.cues.request_type import symptoms_in, symptoms_left_in
from triage.policy.decision.playbook import Addition, Call, Results, RuleInput
from triage.policy.ranking.references import asks_for_news
from triage.policy.text.author_text import author_text
from triage.policy.text.resolution_claims import fixed_in
from triage.policy.text.sentences import read
from triage.policy.thread.fingerprint import is_answer

FINISHING: Final = "finish"
WORKS_AGAIN: Final = "it says that something works again, and no ticket is known that it may be about"
ASKS_FOR_NEWS: Final = "it asks for news of {}, and its sender is not proven to have written about that"


def ending(facts: RuleInput, _: Results) -> Addition:
    """Hand a mail to a person that asks for no work of its own: nobody needs a new ticket for it."""
    if facts.fixed and (_resolves(facts.subject) or not symptoms_left_in(author_text(facts.text))):
        return _unsure(WORKS_AGAIN, "it works again")
    if facts.keys and _only_asks(facts):
        return _unsure(ASKS_FOR_NEWS.format(", ".join(facts.keys)), "it asks for news")
    return Addition()


def _resolves(subject: str) -> bool:
    """Tell whether the subject itself says so, as that of a status page does; its text tells how the trouble began."""
    return fixed_in(read(subject)).value == "yes" and not is_answer(subject)


def _only_asks(facts: RuleInput) -> bool:
    """Tell whether a mail asks what became of a matter and reports no fault."""
    return asks_for_news(Message.of_text(facts.subject, facts.text)) and not symptoms_in(author_text(facts.text))


def _unsure(reason: str, why: str) -> Addition:
    return Addition(call=Call(FINISHING, {"disposition": "unsure", "reason": reason}), why=why)
