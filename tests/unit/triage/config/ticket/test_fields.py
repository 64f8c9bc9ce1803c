"""What triage.yaml says of labels and of fields that mails decide."""

import pytest

from triage.config.ticket.fields import LabelRules
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


def test_labels_and_fields_are_read() -> None:
    """Numbers are values, too; `any` leaves the values to Jira's form."""
    config = config_of(b"labels: {common: '', customers: false}\nfields: {Severity: [1, S2], Team: any}")

    assert config.labels == LabelRules(common="", customers=False)
    assert config.fields == {"Severity": ("1", "S2"), "Team": ()}


def test_without_sections_there_is_one_common_label() -> None:
    """The defaults of a new installation."""
    assert config_of(b"") == config_of(b"labels: {common: from-mail, technologies: true, customers: true}\nfields: {}")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("labels: {common: two words}", "labels.common: .*no blanks"),
        ("labels: {colour: red}", "unknown key; known are common, customers, technologies"),
        ("fields: {Severity: S1}", "fields.Severity: takes a list of values"),
        ("fields: {Severity: []}", "fields.Severity: takes a list of values"),
    ],
)
def test_mistakes_name_their_place(text: str, hint: str) -> None:
    """Each with the cure."""
    with pytest.raises(SettingsInvalid, match=hint):
        config_of(text.encode())


def test_aliases_are_read() -> None:
    """By the component's name."""
    config = config_of(b"components:\n  Billing: [invoice, Rechnung]\n  Web shop: [basket]\n")

    assert config.components == {"Billing": ("invoice", "Rechnung"), "Web shop": ("basket",)}
    assert config_of(b"").components == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"components:\n  Billing: [a]\n  billing: [b]\n", "billing stands there twice"),
        (b"components:\n  Billing: [bill]\n  Shop: [Bill]\n", "bill is an alias of two components"),
        (b"components:\n  Billing: []\n", "Billing"),
        (b"components:\n  Billing: [1, {}]\n", "Billing"),
        (b"components: [Billing]\n", "components"),
    ],
)
def test_mistakes_are_told(text: bytes, problem: str) -> None:
    """At start, with the place."""
    with pytest.raises(SettingsInvalid, match=problem):
        config_of(text)
