"""Holds what a model has read of a mail against that mail: owners, people, days, tickets and weight are what the mail bears out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from triage.domain.memory.notes import MemoryMail, NoteKind, NoteTrust, Observation, Quadrant
from triage.policy.calendar.due_date import days_named
from triage.policy.memory.observations import deadline_of
from triage.policy.memory.proposals.observed import invented
from triage.policy.memory.quadrants import IMPORTANT, near, quadrant_of, weighed
from triage.policy.memory.reading.owners import addressed, owner_of, same_person
from triage.policy.memory.reading.wording import sentences_of_mail
from triage.policy.text.commands import commands_in
from triage.policy.text.sentences import plain


def held(observations: Sequence[Observation], mails: Mapping[str, MemoryMail]) -> tuple[Observation, ...]:
    """Return the observations whose words their mail holds, each with the fields that the mail bears out."""
    found = ((one, mails[one.source_email]) for one in observations)
    return tuple(_of_mail(one, mail) for one, mail in found if not _made_up(one, mail))


def _made_up(one: Observation, mail: MemoryMail) -> bool:
    words = f"{one.title}\n{one.text}"
    known = (mail.subject, mail.text, mail.sender, *mail.to, mail.ticket)
    sentences = sentences_of_mail(mail.text)
    days = [day for each in sentences for _, day in days_named(each.text, mail.at, each.languages)]
    return bool(commands_in(words) or invented(words, known, (mail.at.date(), one.deadline, *days)))


def _of_mail(one: Observation, mail: MemoryMail) -> Observation:
    day, owner = _day(one, mail), _owner(one, mail)
    named = tuple(who for who in one.people if _named(who, mail))
    whom = mail.to if one.kind is NoteKind.COMMITMENT else ()
    people = named if one.kind is NoteKind.PERSON and named else (owner, mail.sender, *whom, *named)
    known = replace(
        one,
        owner=owner,
        people=tuple(dict.fromkeys(filter(None, people))),
        tickets=tuple(dict.fromkeys(filter(None, (mail.ticket, *(key for key in one.tickets if key in _text(mail)))))),
        deadline=day,
    )
    return (
        _weighed(known, mail)
        if one.kind is NoteKind.ACTION
        else replace(known, quadrant=None, priority_justification="")
    )


def _owner(one: Observation, mail: MemoryMail) -> str:
    """Return who has to act: a promise binds its author; whom an unproven sender names must have got the mail."""
    if one.kind is NoteKind.COMMITMENT and mail.trust is NoteTrust.UNTRUSTED:
        return mail.sender
    if one.kind not in {NoteKind.COMMITMENT, NoteKind.ACTION}:
        return ""
    if not one.owner:
        return _by_rules(one, mail)
    written = next((who for who in (mail.sender, *mail.to) if same_person(one.owner, who)), "")
    named = mail.trust is not NoteTrust.UNTRUSTED and _named(one.owner, mail)
    return written or (one.owner if named else _by_rules(one, mail))


def _by_rules(one: Observation, mail: MemoryMail) -> str:
    """Return who promises, or whom the words ask: by name, else the only recipient."""
    if one.kind is NoteKind.COMMITMENT:
        return mail.sender
    sentence = next(iter(sentences_of_mail(one.quote)), None)
    return owner_of(addressed(sentence), mail) if sentence else ""


def _named(who: str, mail: MemoryMail) -> bool:
    return any(same_person(who, one) for one in (mail.sender, *mail.to)) or plain(who) in plain(_text(mail))


def _text(mail: MemoryMail) -> str:
    return f"{mail.subject}\n{mail.text}"


def _day(one: Observation, mail: MemoryMail) -> date | None:
    """Return the day that rules read in the words; where they read none, the model's, if it is not over."""
    read = next(filter(None, (deadline_of(sentence, mail) for sentence in sentences_of_mail(one.quote))), None)
    if read or one.deadline is None:
        return read if one.deadline else None
    return one.deadline if one.deadline >= mail.at.date() else None


def _weighed(one: Observation, mail: MemoryMail) -> Observation:
    """Return an action with urgency by its day, and with the importance that the sender may give it."""
    sentence = next(iter(sentences_of_mail(one.quote)), None)
    by_rules = quadrant_of(sentence, mail, one.deadline) if sentence else None
    wanted = one.quadrant in IMPORTANT
    proven = mail.trust is not NoteTrust.UNTRUSTED or one.deadline or mail.ticket
    if by_rules and (one.quadrant is None or not one.priority_justification or (wanted and not proven)):
        return replace(one, quadrant=by_rules.quadrant, priority_justification=by_rules.why)
    now = weighed(one.quadrant or Quadrant.ELIMINATE, one.priority_justification, near(one.deadline, mail.at.date()))
    return replace(one, quadrant=now.quadrant, priority_justification=now.why)
