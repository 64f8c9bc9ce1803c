"""Records proposed people in a run's history. Pure."""

from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import Json
from triage.policy.decision.permission import Arguments, RunHistory, ToolRule
from triage.policy.decision.resolution import Live


def _proposed(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    return history.saw(Live.PERSON, {str(line["username"]): True for line in result.get("proposals", ())})


SUGGEST_RULE: Final = ToolRule(record=_proposed)
