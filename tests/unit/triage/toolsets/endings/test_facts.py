"""What the playbook does about a mail that only says that something works again."""

from dataclasses import replace

from triage.domain.untrusted import Untrusted
from triage.policy.decision.playbook import Near, RuleInput
from triage.toolsets.endings.facts import WORKS_AGAIN
from triage.toolsets.playbook import action_of
from triage.toolsets.table import toolbox

THANKS = RuleInput(
    subject="Thanks",
    sender="Ali Hassan <ali@line.example>",
    text=Untrusted("It works now, thank you so much. You can close it."),
    fixed=True,
    searched=True,
    issue_types=("Bug", "Task"),
    done_status="Done",
)


def test_what_works_again_makes_no_ticket() -> None:
    """Where no ticket is known that it may be about, a person decides; a likely one is proposed to be done; what is still broken is one."""
    likely = Near(key="HARB-3", probability=0.6, open=True)

    (alone,) = action_of(THANKS, (), toolbox().names).calls
    (known,) = action_of(replace(THANKS, near=(likely,)), (), toolbox().names).calls
    (broken,) = action_of(
        replace(THANKS, text=Untrusted("The login is fixed, but now the export crashes.")), (), toolbox().names
    ).calls

    assert broken.tool == "create_jira_ticket"
    assert (alone.tool, alone.arguments) == ("finish", {"disposition": "unsure", "reason": WORKS_AGAIN})
    assert (known.tool, known.arguments["ticket_key"]) == ("modify_jira_ticket", "HARB-3")
