"""Shared by the rules of letter tools: one letter of a kind per mail, and none to whom none may go."""

from collections.abc import Callable, Mapping

from triage.domain.conversation import Json
from triage.policy.decision.permission import Arguments, RunHistory, Terms

Refusal = Callable[[Arguments, RunHistory, Terms], str]
Record = Callable[[Arguments, Mapping[str, Json], RunHistory], RunHistory]


def one_letter(what: str) -> Refusal:
    """Return the rule that refuses a second `what` (such as `answer`) for one mail, and any if the mail may get no letter."""

    def refusal(_: Arguments, history: RunHistory, terms: Terms) -> str:
        if history.times(what):
            return f"this mail has its {what} already: one is enough"
        return f"no letter may go: {terms.no_letter}" if terms.no_letter else ""

    return refusal


def counted(what: str) -> Record:
    """Return the function that records a call of a tool in the run's history as one more `what`."""

    def record(_: Arguments, _result: Mapping[str, Json], history: RunHistory) -> RunHistory:
        return history.did(what)

    return record
