"""The rights to tools from outside: reading is allowed, what writes or sends waits for a person unless the profile grants it."""

from collections.abc import Callable, Mapping
from typing import Final

from triage.config.agents.profiles import ToolGrant
from triage.domain.conversation import ToolRun
from triage.policy.decision.permission import Arguments, RunHistory, Terms, ToolRule
from triage.policy.decision.rights import NOBODY, Right, RightsRow

EFFECT: Final = "outside"
"""Kind of effect of a call that writes or sends."""
DONE: Final = "done"
"""Status in the result of such a call."""
ROWS: Final[Mapping[ToolGrant, RightsRow]] = {
    "allow": RightsRow(Right.YES, Right.YES, Right.YES, Right.NO),
    "proven": RightsRow(Right.YES, Right.YES, Right.PERSON, Right.NO),
    "approve": RightsRow(Right.PERSON, Right.PERSON, Right.PERSON, Right.NO),
    "deny": NOBODY,
}
"""Rights by what a profile grants; a forged sender gets nothing done."""
READS: Final[Mapping[str, RightsRow]] = {"look with it": RightsRow(Right.YES, Right.YES, Right.YES, Right.NO)}
"""The deed of a call that only reads, for a tool that can also write."""
[LOOK] = READS
UNGRANTED: Final = ROWS["approve"]


def describe(run: ToolRun) -> str:
    """Say what a call of a tool from outside has done, or would do; empty if nothing."""
    match run.result.get("status"):
        case "done":
            return f"Ran {run.tool}."
        case "dry_run":
            return f"Would run {run.tool}."
    return ""


OUTSIDE: Final = ToolRule(kinds=lambda _: (EFFECT,), describe=describe)
"""How outcomes describe the calls of a tool that belongs to no toolset of ours."""


def outside_rule(
    tool: str, per_mail: int, row: RightsRow = UNGRANTED, *, reads: Callable[[Arguments], bool] | None = None
) -> ToolRule:
    """Return the rule of a tool from outside that writes or sends; `reads` knows calls of it that only read."""
    count = f"{EFFECT}:{tool}"

    def looks(arguments: Arguments) -> bool:
        return reads is not None and reads(arguments)

    def spent(arguments: Arguments, history: RunHistory, _terms: Terms) -> str:
        over = history.times(count) >= per_mail and not looks(arguments)
        return f"{tool} has run {per_mail} times for this mail" if over else ""

    return ToolRule(
        rights={f"run {tool}": row, **(READS if reads else {})},
        deeds=lambda arguments, *_: {"": LOOK if looks(arguments) else f"run {tool}"},
        refusal=spent,
        counts=(count,),
        asked=lambda *_: f"the agent would run {tool}; its calls need approval",
        whole=lambda arguments: (tool, ", ".join(f"{name}={value}" for name, value in sorted(arguments.items()))),
        record=lambda arguments, _result, history: history if looks(arguments) else history.did(count),
        effect=EFFECT,
        kinds=OUTSIDE.kinds,
        describe=describe,
    )
