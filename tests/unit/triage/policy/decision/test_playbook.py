"""Names of the project that the playbook finds for a mail."""

import pytest

from triage.policy.decision.playbook import LONGEST_QUOTE, components_in, issue_type_of


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
