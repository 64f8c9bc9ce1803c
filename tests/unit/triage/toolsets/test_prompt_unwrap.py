"""Profiles with a preprocessor read the mail without the wrapping of the system that forwarded it."""

from dataclasses import replace
from datetime import UTC, datetime

from cli.demo.prompt_reader import read_back
from prompts import read
from triage.agent.profiles import profile_of
from triage.domain.cases import Case
from triage.domain.mail import Message
from triage.domain.tickets import Project
from triage.domain.untrusted import Untrusted
from triage.policy.decision.playbook import RuleInput
from triage.toolsets.playbook import facts_of
from triage.toolsets.prompt import opening
from triage.toolsets.toolset import PromptInput

NOW = datetime(2026, 11, 20, tzinfo=UTC)
CRISP = Untrusted(
    "Name: Jana Malá\nEmail: jana@shop.example\nSubject: Storno\n\nMessage:\nI cannot cancel my order.\n\n"
    "Reply to this email to answer Jana.\n"
)


def told(text: Untrusted, preprocessor: str) -> RuleInput:
    """What a playbook would read of this mail."""
    mail = Message(subject=Untrusted("[Crisp] New message"), text=text, reply=text)
    case = Case(id="case-1", source="file", received_at=NOW, message=mail)
    profile = replace(profile_of("jira", read("jira")), preprocessor=preprocessor)
    project = Project(key="OPS", name="Operations", issue_types=("Task",), priorities=())
    about = PromptInput(case=case, project=project)
    read_again = read_back(opening(about, profile, {"create_jira_ticket"}, nonce="12345678", now=NOW))
    assert facts_of(about, preprocessor) == read_again
    return read_again


def test_crisp_is_unwrapped() -> None:
    """The customer's words come first, with name and address as Crisp claims them."""
    facts = told(CRISP, "crisp")

    assert facts.text == (
        "New support inquiry from Jana Malá (jana@shop.example):\nSubject: [Crisp] New message\n\nI cannot cancel my order."
    )
    assert facts.subject == "[Crisp] New message"


def test_other_mails_stay_as_they_are() -> None:
    """What does not look like Crisp is read as it is, and without a preprocessor nothing is taken off."""
    plain = Untrusted("Hello, it is broken.")

    assert told(plain, "crisp").text == plain
    assert told(CRISP, "default").text.startswith("Name: Jana")
