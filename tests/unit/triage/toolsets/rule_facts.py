"""What the playbook is told of a bug report, and what it would call."""

from collections.abc import Collection

from triage.domain.untrusted import Untrusted
from triage.policy.decision.playbook import Call, RuleInput
from triage.toolsets.playbook import action_of
from triage.toolsets.table import SPRINTS, toolbox

ALL, NO_SPRINTS = toolbox().names, toolbox(off=[SPRINTS]).names

FACTS = RuleInput(
    subject="Re: [ext] Invoice export fails",
    sender="Ada Byron <ada@a.example>",
    text=Untrusted("The invoice export stops at 80 %.\nBilling is affected."),
    type="bug",
    priority="High",
    searched=True,
    issue_types=("Bug", "Story", "Task"),
    priorities=("Highest", "High", "Medium"),
    components=("Billing", "Driver App"),
    done_status="Done",
)


def calls(facts: RuleInput, *results: tuple[str, object], tools: Collection[str] = NO_SPRINTS) -> tuple[Call, ...]:
    """What it would call."""
    return action_of(facts, results, tools).calls
