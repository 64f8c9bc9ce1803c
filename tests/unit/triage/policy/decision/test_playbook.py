"""Names of the project that the playbook finds for a mail."""

import pytest

from triage.policy.decision.playbook import LONGEST_QUOTE, components_in, issue_type_of, type_wanted


@pytest.mark.parametrize(
    ("kind", "known", "name"),
    [
        ("bug", ("Task", "bug"), "bug"),
        ("feature", ("Task", "Story"), "Story"),
        ("bug", ("Epic",), "Epic"),
        ("bug", (), "Task"),
        ("bug", ("Incident", "Task"), "Incident"),
        ("not read", ("Epic", "Task"), "Task"),
    ],
    ids=["any-case", "by-the-table", "the-first", "none", "second-best", "not-read"],
)
def test_the_type_is_one_of_the_project(kind: str, known: tuple[str, ...], name: str) -> None:
    """The type that means this kind, else the project's first one."""
    assert issue_type_of(kind, known) == name


def test_components_are_found_as_whole_words() -> None:
    """In subject and text, in any case, two at most; a part of a word and what stands far below count for nothing."""
    known = ("Billing", "Map", "Web", "Login")

    assert components_in("The map is white\nBILLING and web are slow", known) == ("Billing", "Map")
    assert components_in("Webinars\nremapped", known) == ()
    assert components_in("No subject\n" + "x" * LONGEST_QUOTE + " Login", known) == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Please open an epic: payroll for the Netherlands.", "Epic"),
        ("Could you put this as a task on\nthe board?", "Task"),
        ("pls file a bug for that", "Bug"),
        ("Könnt ihr dafür bitte ein Epic anlegen?", "Epic"),
        ("Merci de créer une story.", "Story"),
        ("Prosím založte epic.", "Epic"),
        ("When I create a task in the app, it crashes.", ""),
        ("Please look at the bug that we opened.", ""),
        ("", ""),
    ],
)
def test_a_type_that_is_asked_for(text: str, wanted: str) -> None:
    """Who asks for a ticket of a type gets that type; a type that is only mentioned is none, nor one of another project."""
    assert type_wanted(text, ("Epic", "Story", "Task", "Bug")) == wanted
    assert type_wanted(text, ("Incident",)) == type_wanted(text, ()) == ""
