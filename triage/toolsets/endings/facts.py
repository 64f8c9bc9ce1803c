"""What the playbook does about a mail that only says that something works again."""

from typing import Final

from triage.policy.cues.request_type import symptoms_left_in
from triage.policy.decision.playbook import Addition, Call, Results, RuleInput
from triage.policy.text.author_text import author_text

FINISHING: Final = "finish"
WORKS_AGAIN: Final = "it says that something works again, and no ticket is known that it may be about"


def works_again(facts: RuleInput, _: Results) -> Addition:
    """Hand a mail that says so, and reports no other fault, to a person: nobody needs a new ticket for what is done."""
    if not facts.fixed or symptoms_left_in(author_text(facts.text)):
        return Addition()
    return Addition(call=Call(FINISHING, {"disposition": "unsure", "reason": WORKS_AGAIN}), why="it works again")
