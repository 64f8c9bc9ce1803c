"""The section `autonomy` in triage.yaml: which level an effect has."""

import pytest

from triage.config.autonomy.table import Autonomy, Level
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid

YAML = b"""
autonomy:
  ticket: approve
  letter: auto
  profiles:
    pharmacy: {ticket: shadow, refund_processing: approve}
"""


@pytest.mark.parametrize(
    ("profile", "tool", "effect", "level"),
    [
        ("jira", "create_jira_ticket", "ticket", Level.APPROVE),
        ("jira", "send_reply", "letter", Level.AUTO),
        ("jira", "modify_jira_ticket", "comment", Level.AUTO),
        ("pharmacy", "create_jira_ticket", "ticket", Level.SHADOW),
        ("pharmacy", "refund_processing", "outside", Level.APPROVE),
        ("pharmacy", "reserve", "outside", Level.AUTO),
    ],
)
def test_the_table(profile: str, tool: str, effect: str, level: Level) -> None:
    """A profile's row counts before that of all, a tool's name before its kind."""
    assert config_of(YAML).autonomy.level(profile, tool, effect) is level


def test_without_a_table() -> None:
    """Tickets run by themselves, letters wait."""
    table = config_of(b"").autonomy
    assert (table.level("jira", "x", "ticket"), table.level("jira", "x", "letter")) == (Level.AUTO, Level.APPROVE)


def test_shadow_of_all() -> None:
    """SHADOW lowers everything to the shadow, and what is denied stays denied."""
    table = Autonomy(levels={"link": Level.DENY}, shadow=True)
    assert (table.level("jira", "x", "ticket"), table.level("jira", "x", "link")) == (Level.SHADOW, Level.DENY)


@pytest.mark.parametrize(
    "text", [b"autonomy: {letter: maybe}", b"autonomy: [letter]", b"autonomy: {profiles: {a: {x: 1}}}"]
)
def test_mistakes(text: bytes) -> None:
    """An unknown level is refused with its place."""
    with pytest.raises(SettingsInvalid, match=r"triage\.yaml: autonomy"):
        config_of(text)
