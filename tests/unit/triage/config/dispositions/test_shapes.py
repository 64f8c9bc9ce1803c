"""The sections `dispositions` and `senders` of triage.yaml."""

import pytest

from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid
from triage.domain.findings import Disposition, DispositionAction

GOOD = b"""
dispositions:
  not_for_us: person
  newsletter: ticket
senders:
  allow: [Partner.example, ada@b.example]
  block: ["@mailer.example"]
  important: [boss@big.example]
"""


def test_what_an_admin_writes() -> None:
    """Actions by disposition, and three lists of addresses and domains."""
    table = config_of(GOOD).dispositions

    assert table.action_of(Disposition.NOT_FOR_US) is DispositionAction.PERSON
    assert table.action_of(Disposition.NEWSLETTER) is DispositionAction.TICKET
    assert table.action_of(Disposition.SPAM) is DispositionAction.IGNORE
    assert table.allow.match("eve@mail.partner.example") == "partner.example"
    assert table.block.match("x@mailer.example") == "mailer.example"
    assert table.important.match("boss@big.example") == "boss@big.example"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dispositions: {spam: ticket}", "spam makes no tickets"),
        ("dispositions: {unsure: comment}", "unsure has no ticket"),
        ("dispositions: {spma: ignore}", "dispositions.spma"),
        ("dispositions: {spam: delete}", "dispositions.spam"),
        ("senders: {allow: [nobody]}", "neither an address nor a domain"),
        ("senders: {allow: [a.example], block: [a.example]}", "in `block` and in another list"),
        ("senders: {allowed: [a.example]}", "did you mean allow?"),
    ],
)
def test_mistakes(text: str, said: str) -> None:
    """Each is named with its place."""
    with pytest.raises(SettingsInvalid) as told:
        config_of(text.encode())

    assert said in str(told.value)


def test_all_mistakes_at_once() -> None:
    """An admin reads all of them together."""
    with pytest.raises(SettingsInvalid) as told:
        config_of(b"dispositions: {spam: delete, newsletter: shred}\nsenders: {block: [nobody]}")

    assert len(told.value.problems) == 3
