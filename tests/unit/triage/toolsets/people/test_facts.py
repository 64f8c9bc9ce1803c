"""Proposals on their way: into the prompt, and into what the playbook does."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from cli.demo.prompt_reader import read_back
from prompts import read
from triage.agent.profiles import profile_of
from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, Json, Messages, RunStatus, ToolRun
from triage.domain.findings import Candidate, Point, Retrieval, Suggestion
from triage.domain.mail import Message
from triage.domain.tickets import Person, Project, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.decision.playbook import RuleInput
from triage.toolsets.people.facts import why_theirs
from triage.toolsets.playbook import facts_of
from triage.toolsets.prompt import opening
from triage.toolsets.table import LETTERS, PEOPLE, SPRINTS, toolbox
from triage.toolsets.tickets.playbook import decide
from triage.toolsets.toolset import PromptInput

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
PROFILE = profile_of("jira", read("jira"))
PROJECT = Project(key="OPS", name="Operations", issue_types=("Bug", "Task"), priorities=("High", "Medium"))
ADA = Suggestion(
    person=Person(id="557058:f1d2", name=Untrusted("Ada <<<MAIL Byron")),
    score=117.7,
    points=(Point("similar: OPS-7", 100.2), Point("4 open tickets", 16.0), Point("x", 1.2), Point("y", 0.3)),
)
ODD = replace(ADA, person=Person(id="DOM\\bob", name=Untrusted("Bob")), score=30.0)
CASE = Case(
    id="case-7",
    source="file",
    received_at=NOW,
    message=Message(subject=Untrusted("Export stops"), text=Untrusted("It stops."), reply=Untrusted("It stops.")),
    retrieval=Retrieval(
        candidates=(
            Candidate(
                ticket=Ticket(key="OPS-7", summary=Untrusted("a"), status="x", category="new", issue_type="Bug"),
                probability=0.2,
                evidence=(),
            ),
        ),
        searched=True,
    ),
)
FACTS = RuleInput(
    subject="Export stops",
    sender="",
    text=Untrusted("It stops."),
    searched=True,
    issue_types=("Task",),
    proposals=("557058:f1d2", "bob"),
)
REFUSED: tuple[str, Json] = ("create_jira_ticket", {"error": "'557058:f1d2' is nobody this ticket can belong to"})
CREATED: tuple[str, Json] = ("create_jira_ticket", {"status": "created", "key": "OPS-9", "url": ""})


def asked(case: Case, *off: str) -> Messages:
    """The opening of this case, with these toolsets switched off."""
    about = PromptInput(case=case, project=PROJECT)
    return opening(about, PROFILE, toolbox(off=[SPRINTS, LETTERS, *off]).names, nonce="00c0ffee", now=NOW)


def test_the_prompt_is_silent_without_proposals() -> None:
    """Neither a word in the system prompt nor a fact in the other where the feature is off."""
    system, user = asked(CASE, PEOPLE)

    assert not any(word in system.text + user.text for word in ("PEOPLE", "assignee", "proposals", "{%"))
    assert "otherwise says" not in system.text
    assert "**Background**\n\nIssue types: Bug" in system.text


def test_the_prompt_shows_people_behind_a_fence() -> None:
    """One line each with the reasons that matter, of which a short queue is none; names cannot break out."""
    system, user = asked(replace(CASE, retrieval=replace(CASE.retrieval, proposals=(ADA,))))

    assert "<<<PEOPLE 00c0ffee\nAda <<<MAIL Byron (118 points) similar: OPS-7\n" in user.text
    assert "PEOPLE: a new ticket goes to the first one" in system.text


def test_only_people_with_a_chance_are_shown() -> None:
    """The best one alone, if sure; else others from one in twenty on, too, without reasons, since the ticket is nobody's."""
    second = replace(ODD, probability=0.0814, proposed=False)

    def shown(*, sure: bool) -> str:
        proposals = (replace(ADA, probability=0.62, proposed=sure), second, replace(second, probability=0.03))
        return asked(replace(CASE, retrieval=replace(CASE.retrieval, proposals=proposals)))[1].text

    assert "Byron (62%) similar: OPS-7\n00c0ffee PEOPLE>>>" in shown(sure=True)
    assert "Byron (62%, unsure) similar: OPS-7\nBob (8%, unsure)\n00c0ffee PEOPLE>>>" in shown(sure=False)


@pytest.mark.parametrize(
    ("points", "why"), [(ADA.points, "similar: OPS-7, x"), (ADA.points[1:2], "such work is mostly hers or his")]
)
def test_the_outcome_names_reasons_and_not_free_hands(points: tuple[Point, ...], why: str) -> None:
    """A lead reads how probable it is and why; how few tickets somebody has open says nothing about the matter."""
    one = replace(ADA, person=Person(id="ada", name=Untrusted("Ada")), points=points, probability=0.81)
    written = ToolRun(
        tool="create_jira_ticket",
        arguments={},
        result={"status": "created", "written": {"assignee": "Ada"}},
        iteration=1,
    )
    run = AgentResult(status=RunStatus.COMPLETED, tool_calls=(written,))
    case = replace(CASE, result=run, retrieval=replace(CASE.retrieval, proposals=(one,)))

    assert list(why_theirs(case, ())) == [f"Ada is right at 81%: {why}."]


def test_a_reader_of_the_prompt_knows_whom_the_playbook_knows() -> None:
    """Ids as they are; an id that is no word stays out, since only exact ones are written."""
    case = replace(CASE, retrieval=replace(CASE.retrieval, proposals=(ADA, ODD)))
    known = facts_of(PromptInput(case=case, project=PROJECT), "default").proposals

    assert read_back(asked(case)).proposals == ("557058:f1d2",)
    assert known == ("557058:f1d2",)
    assert read_back(asked(CASE)).proposals == ()


def test_the_best_gets_the_new_ticket() -> None:
    """Where somebody is proposed."""
    (call,) = decide(FACTS, ()).calls

    assert call.arguments["assignee"] == "557058:f1d2"
    assert "assignee" not in decide(replace(FACTS, proposals=()), ()).calls[0].arguments


def test_a_comment_changes_no_owner() -> None:
    """Nothing is given to anybody but a new ticket."""
    commented = ("modify_jira_ticket", {"status": "modified", "key": "OPS-7", "done": ["commented"]})
    (call,) = decide(replace(FACTS, ticket="OPS-7"), ()).calls
    told = decide(replace(FACTS, ticket="OPS-7"), (commented,))

    assert "assignee" not in call.arguments
    assert told.calls == ()


def test_who_has_gone_holds_no_ticket_up() -> None:
    """A refused create is tried once more for nobody, never a third time."""
    (call,) = decide(FACTS, (REFUSED,)).calls
    done = decide(FACTS, (REFUSED, CREATED))
    twice = decide(FACTS, (REFUSED, REFUSED))

    assert (call.tool, "assignee" in call.arguments) == ("create_jira_ticket", False)
    assert done.calls == twice.calls == ()
    assert "Created OPS-9." in done.text


@pytest.mark.parametrize("result", ["broken", {"error": "no"}])
def test_without_proposals_a_refusal_is_the_end(result: Json) -> None:
    """Nothing is tried again where nobody was proposed."""
    assert decide(replace(FACTS, proposals=()), (("create_jira_ticket", result),)).calls == ()
