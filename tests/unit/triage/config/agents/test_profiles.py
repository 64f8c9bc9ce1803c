"""A profile in triage.yaml: what may be left out."""

from triage.config.agents.profiles import ProfileSpec
from triage.config.triage_yaml import config_of


def test_a_profile_needs_little() -> None:
    """What is left out comes from the settings; the name may be repeated."""
    config = config_of(b"agent: {profiles: {short: {name: short, system_prompt_file: p.md, tools: []}}}")

    assert config.profiles == (ProfileSpec(name="short", system_prompt_file="p.md", tools=()),)
