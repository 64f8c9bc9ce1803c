"""Decides how the model may end a run without a write, and reads from a run's record how it did.

The model may set a mail aside only where code sees signs of it: a sentence in a mail cannot end a colleague's request as spam.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.findings import Disposition, DispositionAction, DispositionFinding
from triage.policy.decision.disposition.examples import ASIDE

FINISHED: Final = "finished"
"""Status in the result of a call that has ended a run."""
SIGNS_FROM: Final = 0.2
"""Probability by rules that a mail is not for us, from which on the model may set it aside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """How a model has ended a run."""

    disposition: Disposition
    action: DispositionAction
    reason: str

    @property
    def aside(self) -> bool:
        """Whether the mail is ignored, visibly."""
        return self.action is DispositionAction.IGNORE


def finish_refusal(disposition: Disposition, action: DispositionAction, found: DispositionFinding | None) -> str:
    """Return why the model may not end the run so; empty if it may."""
    unwanted = found.unwanted if found else 0.0
    if (disposition in ASIDE or action is DispositionAction.IGNORE) and unwanted < SIGNS_FROM:
        return (
            f"code sees no sign that this mail is {disposition}: write what it needs, "
            f"or finish with {Disposition.UNSURE}, so that a person looks"
        )
    return ""


def finish_of(case: Case) -> Finish | None:
    """Return how the run of a case was ended by the tool; None if it was not."""
    for run in reversed(case.calls):
        if run.facts.get("status") == FINISHED:
            return _finish(run.facts)
    return None


def _finish(result: Mapping[str, Json]) -> Finish:
    return Finish(
        disposition=Disposition(result["disposition"]),
        action=DispositionAction(result["action"]),
        reason=" ".join(str(result["reason"]).split()),
    )
