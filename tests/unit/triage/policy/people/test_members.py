"""Entries of the team's file, and the people whom they mean."""

from dataclasses import replace
from datetime import date

from triage.config.team import Days, Member
from triage.domain.tickets import Person, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.people.members import meant_by, members_of, unavailable, unclear

ADA = Person(id="ada", name=Untrusted("Ada Byron"), email="ada@example.com")
BOB = Person(id="bob", name=Untrusted("Bob Ray"))
TODAY = date(2026, 11, 20)


def test_people_are_meant_exactly() -> None:
    """By id, address or full name in any case of letters; half a name means nobody, a common name nobody in particular."""
    twin = replace(BOB, id="bob2")
    people = (ADA, BOB, twin)
    team = (
        Member(person=" ADA@example.com ", capacity=1),
        Member(person="Bob Ray", capacity=2),
        Member(person="Ada", capacity=3),
        Member(person="", capacity=4),
    )

    assert [[p.id for p in meant_by(member, people)] for member in team] == [["ada"], ["bob", "bob2"], ["ada"], []]
    assert members_of(team[:2], people) == {"ada": team[0]}
    assert meant_by(Member(person="Byron"), people) == ()


def test_people_who_are_not_found_are_told() -> None:
    """By `triage doctor`: nobody of that name, or several."""
    people = (
        Person(id="1", name=Untrusted("Ada Byron")),
        Person(id="2", name=Untrusted("Bob Ray")),
        Person(id="3", name=Untrusted("Bob Ray")),
    )
    team = (Member(person="Ada Byron"), Member(person="Bob Ray"), Member(person="Eve"))

    assert list(unclear(team, people)) == [
        ("Bob Ray", "2 people are called so; write the id: 2, 3"),
        ("Eve", "nobody a ticket can be given to; write the full name as Jira shows it, or its id"),
    ]


def test_who_takes_no_ticket_now() -> None:
    """Absence comes before capacity; without an entry in the file nothing prevents it."""
    away = Member(person="ada", absent=(Days(TODAY),), capacity=0)

    assert unavailable(None, Workload(waiting=99), TODAY) == ""
    assert unavailable(away, Workload(), TODAY) == "absent since 2026-11-20"
    assert unavailable(replace(away, absent=()), Workload(), TODAY) == "0 open tickets, capacity 0"
    assert unavailable(Member(person="ada"), Workload(waiting=99), TODAY) == ""
