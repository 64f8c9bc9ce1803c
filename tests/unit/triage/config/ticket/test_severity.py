"""The severity policy: its defaults, its words for prompts, and what the section of triage.yaml may say."""

import pytest

from triage.config.ticket.severity import Severity
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


def test_without_the_section_the_defaults_hold() -> None:
    """A file without the section means the same as the defaults."""
    assert Severity() == config_of(b"").severity


def test_a_company_weighs_impacts_in_its_own_way() -> None:
    """Every kind of impact can get another priority, and vital systems get names."""
    severity = config_of(b"severity: {payment: High, many_people: 5, vital: [Crane control]}").severity

    assert severity.priority_of("payment") == "High"
    assert severity == Severity(payment="High", many_people=5, vital=("Crane control",))


def test_mistakes_are_told_all_at_once() -> None:
    """Unknown kinds, unknown priorities and wrong numbers are errors with their place, together."""
    with pytest.raises(SettingsInvalid) as caught:
        config_of(b"severity: {outrage: High, loss: Urgent, many_people: 0, vital: ['*']}")

    told = "\n".join(caught.value.problems)
    assert "severity.outrage: unknown key" in told
    assert "did you mean outage?" in told
    assert "severity.loss" in told
    assert "severity.many_people" in told
    assert "severity.vital[0]" in told


def test_the_policy_is_told_in_lines() -> None:
    """A prompt reads one line per priority that something gives, and the names of vital systems."""
    highest, high, many, vital = Severity(vital=("Crane",)).lines()

    assert highest.startswith("Highest: many cannot work")
    assert "needed today" in high
    assert (many, vital) == ("Many are 20.", "Vital: Crane.")
    assert len(Severity().lines()) == 3
