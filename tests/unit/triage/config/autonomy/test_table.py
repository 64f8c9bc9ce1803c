"""The section `autonomy` in triage.yaml: which level an effect has."""

from pathlib import Path

import pytest

from cli.wiring.agents.profiles import agents_of
from triage.config.autonomy.table import KINDS, Autonomy, Level, wrong_names
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import config_of, load_config
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


WRONG = """
autonomy:
  leter: deny
  send_replay: deny
  profiles: {jira: {coment: shadow}}
approvals:
  four_eyes: [lettr, zzz]
"""
RIGHT = """
autonomy:
  letter: approve
  refund: approve
  profiles: {shop: {send_reply: auto, outside: approve}}
approvals:
  four_eyes: [letter, draft]
"""


def test_known_names() -> None:
    """Kinds of effects, our tools and those that profiles have are known."""
    config = config_of(RIGHT.encode())
    assert list(wrong_names(config.autonomy, config.approvals, {"send_reply", "refund"})) == []


def test_unknown_names() -> None:
    """Every one is told with its place and the nearest known name; two pairs of eyes look at kinds of effects, never at a tool."""
    config = config_of(WRONG.encode())
    assert list(wrong_names(config.autonomy, config.approvals, {"send_reply", "zzz"})) == [
        "autonomy.leter: means nothing; did you mean letter?",
        "autonomy.send_replay: means nothing; did you mean send_reply?",
        "autonomy.profiles.jira.coment: means nothing; did you mean comment?",
        "approvals.four_eyes: lettr: means nothing; did you mean letter?",
        f"approvals.four_eyes: zzz: means nothing; name a kind of effect ({', '.join(KINDS)}), or take it out",
    ]


def test_a_name_like_none() -> None:
    """Where nothing is alike the cure says what there is."""
    config = config_of(b"autonomy: {xyzzyx: deny}")
    [told] = wrong_names(config.autonomy, config.approvals, ())
    assert told.endswith("draft, outside), or a tool that a profile has, or take it out")


def test_at_start(tmp_path: Path) -> None:
    """Nothing starts with such a table, and all mistakes are told at once."""
    file = tmp_path / "triage.yaml"
    file.write_text(WRONG, encoding="utf-8")
    with pytest.raises(SettingsInvalid) as refused:
        agents_of(load(Isolated), load_config(file))

    assert len(refused.value.problems) == 5
