"""What the playbook does about a mail that asks for no work of its own."""

from dataclasses import replace

from triage.domain.untrusted import Untrusted
from triage.policy.decision.playbook import Near, RuleInput
from triage.toolsets.endings.facts import ASKS_FOR_NEWS, WORKS_AGAIN
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

    (page,) = action_of(
        replace(THANKS, subject="Resolved: slow uploads", text=Untrusted("Resolved - A switch was broken.")),
        (),
        toolbox().names,
    ).calls

    assert page == alone
    assert broken.tool == "create_jira_ticket"
    assert (alone.tool, alone.arguments) == ("finish", {"disposition": "unsure", "reason": WORKS_AGAIN})
    assert (known.tool, known.arguments["ticket_key"]) == ("modify_jira_ticket", "HARB-3")


def test_who_asks_for_news_of_a_strangers_ticket_makes_none() -> None:
    """A mail that only asks what became of a ticket goes to a person; one that reports a fault, or names no ticket, is work."""
    asked = replace(
        THANKS, subject="Re: HARB-12", text=Untrusted("Any news on HARB-12?"), keys=("HARB-12",), fixed=False
    )
    broken = replace(asked, text=Untrusted("Any news on HARB-12? The export still crashes."))

    (alone,) = action_of(asked, (), toolbox().names).calls
    (fault,) = action_of(broken, (), toolbox().names).calls
    (nameless,) = action_of(replace(asked, keys=()), (), toolbox().names).calls

    assert (alone.tool, alone.arguments["reason"]) == ("finish", ASKS_FOR_NEWS.format("HARB-12"))
    assert fault.tool == nameless.tool == "create_jira_ticket"
