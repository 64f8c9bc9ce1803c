"""Says of a case's sender what several decisions ask: one of us, checked at all, deceptive."""

from collections.abc import Iterable

from triage.domain.cases import Case
from triage.domain.mail import Address, Message
from triage.domain.tickets import Person
from triage.policy.sender.from_header import senders_of
from triage.policy.sender.mail_hosts import single_organisation
from triage.policy.sender.trust_verdict import Edge


def is_colleague(sender: Address | None, people: Iterable[Person], domains: Iterable[str]) -> bool:
    """Tell whether the address is that of a person of the project, or in one of `domains`, our own mail domains.

    It does not tell whether the sender is proven to have that address.
    """
    if sender is None:
        return False
    known = {one.email.casefold() for one in people if one.email}
    return sender.address.casefold() in known or sender.domain in single_organisation(domains)


def answers_us(message: Message, domains: Iterable[str]) -> bool:
    """Tell whether a mail answers one whose Message-ID is of `domains`, our own mail domains, or of a host in them.

    Anybody can claim that: it proves nothing that gives the sender a right.
    """
    answered = message.in_reply_to or message.references[-1:]
    hosts = {f".{one.rstrip('>').rpartition('@')[2].casefold()}" for one in answered}
    return any(host.endswith(f".{domain}") for host in hosts for domain in single_organisation(domains))


def is_checked(case: Case, edge: Edge) -> bool:
    """Tell whether senders are checked for the case's source, so that a missing proof counts against the sender."""
    return case.verdict is not None or edge.checks


def is_deceptive(case: Case) -> bool:
    """Tell whether the From header has several readings or, by what `identify` found, imitates somebody."""
    return "lookalike" in case.flags or bool(senders_of(case.mail).other_readings)
