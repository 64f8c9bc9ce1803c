"""The section `components` of triage.yaml."""

import pytest

from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


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
