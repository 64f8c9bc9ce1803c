"""Whom a mail asks for, whom it wants to avoid, and what sort of matter it is."""

import pytest

from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted
from triage.policy.people.wishes import matters_in, wishes_in

PEOPLE = tuple(
    Person(id=name.split()[0].casefold(), name=Untrusted(name))
    for name in ("Marek Dvorak", "Jana Weber", "Li Wei", "Tom Weber", "Ada Byron")
)


@pytest.mark.parametrize(
    ("text", "asked", "avoided"),
    [
        ("Please assign it to Jana.", {"jana"}, set()),
        ("Could you ask Marek Dvorak? He built it.", {"marek"}, set()),
        ("Jana knows the importer.", {"jana"}, set()),
        ("Anyone but Marek, please.", set(), {"marek"}),
        ("Please assign this to somebody, not Marek.", set(), {"marek"}),
        ("Do not assign it to Marek. Ask Jana.", {"jana"}, {"marek"}),
        ("Marek should not do it again.", set(), {"marek"}),
        ("Bitte an alle außer Jana.", set(), {"jana"}),
        ("Bitte nicht an Marek geben, Jana kennt sich aus.", {"jana"}, {"marek"}),
        ("Demandez à Jana, surtout pas à Marek.", {"jana"}, {"marek"}),
        ("Pregunten a Jana, cualquiera menos Marek.", {"jana"}, {"marek"}),
        ("Kdokoli kromě Marek.", set(), {"marek"}),
        ("I met Marek Dvorak yesterday.", set(), set()),
        ("The page of Ada Byron is broken.", set(), set()),
        ("Ask Weber.", set(), set()),
        ("Ask Li.", set(), set()),
        ("Ask Li Wei.", {"li"}, set()),
        ("Do not touch it. Marek reported it.", set(), set()),
        ("Who is it for? Marek.", set(), set()),
        ("", set(), set()),
    ],
)
def test_wishes(text: str, asked: set[str], avoided: set[str]) -> None:
    """A wish stands beside the name; a mere mention is none, nor is a name that two people bear or that is too short."""
    wishes = wishes_in(text, PEOPLE)

    assert (set(wishes.asked), set(wishes.avoided)) == (asked, avoided)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Please file it and assign it to me.", {"ada"}),
        ("I'll take it.", {"ada"}),
        ("Bitte mir zuweisen.", {"ada"}),
        ("Assignez-le-moi.", {"ada"}),
        ("Please don't assign it to me.", set()),
        ("Send it to me. Assign to Jana.", {"jana"}),
        ("Assign. To me it looks fine.", set()),
    ],
)
def test_who_writes_may_ask_for_himself(text: str, asked: set[str]) -> None:
    """A person of the project gets the ticket that he wants; of an author who is none, the same words mean nobody."""
    assert wishes_in(text, PEOPLE, "ada").asked == asked
    assert wishes_in(text, PEOPLE).asked == asked - {"ada"}


def test_nobody_known_is_asked_for() -> None:
    """Without people there are no wishes."""
    assert wishes_in("Ask Jana.", ()).asked == frozenset()


@pytest.mark.parametrize(
    ("title", "text", "kind", "matters"),
    [
        ("VPN does not connect", "Since this morning.", "bug", {"infrastructure"}),
        ("Cannot work", "The server has no disk space.", "bug", {"infrastructure"}),
        ("Invoice", "The server says no.", "bug", set()),
        ("Zugang", "Die Festplatte im Cluster ist voll.", "support", {"infrastructure", "support"}),
        ("How do I export?", "Thanks.", "support", {"support"}),
    ],
)
def test_matters(title: str, text: str, kind: str, matters: set[str]) -> None:
    """One word of infrastructure in the subject or two in the text; support is the kind of the request."""
    assert matters_in(title, text, kind) == matters
