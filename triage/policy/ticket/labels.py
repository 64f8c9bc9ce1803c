"""Chooses the labels that code puts on a new ticket: technologies, the customer's domain, a common one."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from triage.config.ticket.fields import LabelRules
from triage.domain.cases import Case
from triage.domain.mail import Trust
from triage.policy.sender.mail_hosts import single_organisation

MOST_TECHNOLOGIES: Final = 5
_NOT_IN_LABELS: Final = re.compile(r"[^\w.+#-]+")


def labels_for(case: Case, rules: LabelRules, own: Iterable[str]) -> tuple[str, ...]:
    """Return the labels of a new ticket; `own` are our own mail domains, which name no customer."""
    return tuple(dict.fromkeys(label for label in _labels(case, rules, own) if label))


def _labels(case: Case, rules: LabelRules, own: Iterable[str]) -> Iterator[str]:
    yield rules.common
    yield from case.route.labels if case.route else ()
    if rules.technologies:
        yield from (_label(cue.value) for cue in case.cues.technologies[:MOST_TECHNOLOGIES])
    sender = case.mail.sender
    customer = rules.customers and case.identity.alert is None  # a program that watches is nobody's customer
    if customer and sender is not None and case.identity.trust is not Trust.FAILED:
        yield from (_label(domain) for domain in single_organisation([sender.domain]) - set(own))


def _label(name: str) -> str:
    """Return the name as a label: lower case, no blanks."""
    return _NOT_IN_LABELS.sub("-", name.casefold()).strip("-.")
