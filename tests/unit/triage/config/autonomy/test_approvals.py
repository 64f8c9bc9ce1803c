"""The section `approvals:` of triage.yaml."""

from datetime import timedelta

import pytest

from triage.config.autonomy.approvals import ApprovalRules
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


def test_as_written() -> None:
    """People are compared in lower case; hours are spans; four eyes is about kinds of effects."""
    text = b"""
approvals:
  approvers: {people: [Ada@Example.com], groups: [leads], roles: [Administrators]}
  expire_hours: 24
  remind_hours: 2
  four_eyes: [letter]
  rework: 1
"""
    rules = config_of(text).approvals

    assert rules.approvers.people == {"ada@example.com"}
    assert (rules.approvers.groups, rules.approvers.roles) == (("leads",), ("Administrators",))
    assert (rules.expires_after, rules.remind_before) == (timedelta(hours=24), timedelta(hours=2))
    assert (rules.eyes("letter"), rules.eyes("ticket"), rules.rework) == (2, 1, 1)


def test_without_it() -> None:
    """An approval waits for three days, and for one person."""
    assert config_of(b"").approvals == ApprovalRules()
    assert ApprovalRules().expires_after == timedelta(days=3)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"approvals: {approver: {}}", "approvals.approver: unknown key"),
        (b"approvals: {approvers: {group: [a]}}", "did you mean groups?"),
        (b"approvals: {expire_hours: 0}", "approvals.expire_hours"),
        (b"approvals: {four_eyes: letter}", "approvals.four_eyes: must be a list"),
    ],
)
def test_mistakes(text: bytes, told: str) -> None:
    """A mistake is named with its place."""
    with pytest.raises(SettingsInvalid, match=told.replace("?", r"\?")):
        config_of(text)
