"""A profile in triage.yaml: what may be left out."""

import pytest

from triage.config.agents.profiles import ProfileSpec, ToolLimits
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid


def test_a_profile_needs_little() -> None:
    """What is left out comes from the settings; the name may be repeated."""
    config = config_of(b"agent: {profiles: {short: {name: short, system_prompt_file: p.md, tools: []}}}")

    assert config.profiles == (ProfileSpec(name="short", system_prompt_file="p.md", tools=()),)


def test_limits_of_tools_from_outside() -> None:
    """Limits, options and grants arrive; what is left out has its default, and a wrong one is told with its place."""
    config = config_of(
        b"agent: {profiles: {a: {system_prompt_file: p, tools: [x], grants: {x: proven}}}}\n"
        b"tools: {x: {timeout: 5, options: {endpoint: here}}}"
    )
    with pytest.raises(SettingsInvalid) as refused:
        config_of(
            b"tools: {x: {timeout: 0, time: 1}}\nagent: {profiles: {a: {system_prompt_file: p, tools: [], grants: {x: yes}}}}"
        )

    assert config.tools == {"x": ToolLimits(timeout=5, options={"endpoint": "here"})}
    assert config.profiles[0].grants == {"x": "proven"}
    assert "tools.x.timeout: " in str(refused.value)
    assert "tools.x.time: unknown key; known are max_chars, options, per_mail, timeout" in str(refused.value)
    assert "agent.profiles.a.grants.x: " in str(refused.value)
