"""Matches the entries of the team's file with the people of the project, and says who takes no ticket now."""

from collections.abc import Iterator, Sequence
from datetime import date

from triage.config.team import Member
from triage.domain.tickets import Person, Workload


def members_of(team: Sequence[Member], people: Sequence[Person]) -> dict[str, Member]:
    """Return the team by person id, without entries that match no person or several."""
    found = {}
    for member in team:
        meant = meant_by(member, people)
        if len(meant) == 1:
            found[meant[0].id] = member
    return found


def by_address(team: Sequence[Member], people: Sequence[Person]) -> dict[str, Person]:
    """Return the people by address in lower case: as Jira shows it or, where it hides it, as the team's file says."""
    known = {person.id: person for person in people}
    written = {member.address: known[id_] for id_, member in members_of(team, people).items() if member.address}
    return written | {person.email.casefold(): person for person in people if person.email}


def meant_by(member: Member, people: Sequence[Person]) -> tuple[Person, ...]:
    """Return the people whom an entry of the team's file matches; exactly one if it is correct."""
    wanted = member.person.strip().casefold()
    return tuple(p for p in people if wanted in {p.id.casefold(), p.email.casefold(), p.name.casefold()} - {""})


def unclear(team: Sequence[Member], people: Sequence[Person]) -> Iterator[tuple[str, str]]:
    """Entries that mean nobody, or more than one person, with the cure."""
    for member in team:
        meant = meant_by(member, people)
        if not meant:
            yield member.person, "nobody a ticket can be given to; write the full name as Jira shows it, or its id"
        elif len(meant) > 1:
            yield member.person, f"{len(meant)} people are called so; write the id: {', '.join(p.id for p in meant)}"


def unavailable(member: Member | None, load: Workload, day: date) -> str:
    """Say why a person takes no ticket now; empty if nothing prevents it."""
    if member is None:
        return ""
    if absence := member.away(day):
        return f"absent until {absence.last}" if absence.last else f"absent since {absence.first}"
    if member.capacity is not None and load.open >= member.capacity:
        return f"{load.open} open tickets, capacity {member.capacity}"
    return ""
