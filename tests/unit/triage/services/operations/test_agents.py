"""The permission matrix that shell and API show."""

from cli.wiring.agents.profiles import agents_of
from triage.config.settings import Isolated, load
from triage.config.triage_yaml import Config
from triage.policy.decision.rights import Right
from triage.services.operations.agents import permissions


def test_each_deed_of_each_tool() -> None:
    """A tool that reads is open to everybody; a forged sender may do nothing that writes without a person."""
    agents = agents_of(load(Isolated), Config())
    found = permissions(agents.profiles, agents.toolbox)
    reading = [one for one in found if one.deed == "read"]

    assert {one.agent for one in found} >= {"jira"}
    assert reading
    assert all(set(one.rights) == {Right.YES} for one in reading)
    assert len({(one.agent, one.tool, one.deed) for one in found}) == len(found)
