"""The demo reads the facts of a case back from its prompt."""

from dataclasses import replace

import pytest

from cli.demo.prompt_reader import read_back
from tests.unit.triage.toolsets.prompt_case import (
    CASE,
    MAIL,
    PROJECT,
    TICKET,
    about,
    asked,
)
from triage.domain.findings import Candidate
from triage.domain.untrusted import Untrusted
from triage.policy.decision.resolution import Live
from triage.toolsets.playbook import facts_of
from triage.toolsets.table import begun


def test_the_playbook_reads_what_was_found() -> None:
    """Everything that code has found comes back from the prompt as it was."""
    facts = read_back(asked())

    assert (facts.subject, facts.sender, facts.text) == (
        "Invoice export fails",
        "Ada <ada@a.example>",
        "It stops at 80 %.",
    )
    assert (facts.type, facts.priority, facts.fixed) == ("bug", "High", False)
    assert [(n.key, n.probability, n.open) for n in facts.near] == [("OPS-7", 0.42, True)]
    assert (facts.issue_types, facts.priorities) == (PROJECT.issue_types, PROJECT.priorities)
    assert facts.components == PROJECT.components
    assert (facts.searched, facts.ticket, facts.done_status, facts.review) == (True, None, "Shipped", False)


@pytest.mark.parametrize("short", [False, True])
def test_the_playbook_knows_what_the_prompt_says(*, short: bool) -> None:
    """The facts of the case are those that a reader of its prompt finds, to the last one; and so is what was shown."""
    case = replace(
        CASE,
        message=replace(MAIL, subject=Untrusted("Re:  Invoice\texport"), reply=Untrusted("It stops. " * 2000)),
        retrieval=replace(
            CASE.retrieval,
            candidates=(
                *CASE.retrieval.candidates,
                Candidate.of(replace(TICKET, key="OPS-8"), 0.0999, ()),
                CASE.retrieval.candidates[0],
            ),
        ),
        ticket="OPS-3",
        flags=("model-down", "ticket-closed"),
    )
    told = read_back(asked(case, short=short))

    assert facts_of(about(case, short=short), "default") == told
    assert begun(case).of(Live.TICKET) == {near.key: near.probability for near in told.near} | {told.ticket: 1.0}


def test_names_of_the_project_come_back_one_by_one() -> None:
    """A comma in the name of a component, type or priority splits nothing."""
    names = ("P1, urgent", "P2", "Ops & Co. (EU)")
    facts = read_back(asked(project=replace(PROJECT, issue_types=names, priorities=names, components=names)))

    assert (facts.issue_types, facts.priorities, facts.components) == (names, names, names)


def test_a_project_without_components() -> None:
    """Nothing is read back as nothing."""
    assert read_back(asked(project=replace(PROJECT, components=()))).components == ()
