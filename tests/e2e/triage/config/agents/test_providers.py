"""Which server a profile's model is asked at, with which limits and prompt."""

import re
from pathlib import Path

import pytest

from cli.wiring.agents.models import Models
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import house
from tests.servers.sandbox import RunningJira
from triage.agent.profiles import Profile
from triage.config.agents.providers import ModelProvider, key_of
from triage.config.settings import Isolated, Settings, load
from triage.domain.conversation import Turn
from triage.domain.errors import SettingsInvalid
from triage.domain.mail import Trust
from triage_sandbox.openai_app import Script, openai_app
from triage_sandbox.server import Served

CONFIG = """
routing: {{rules: [{{name: desk, match: {{all: true}}, route: agent, profile: desk}}]}}
providers:
  local: {{url: "{first}/v1", prices: {{input: 1, output: 2}}}}
  other: {{url: "{second}/v1"}}
agent:
  profiles:
    desk:
      model: local/small
      fallback: other/large
      temperature: 0.3
      max_tokens: 777
      system_prompt_file: desk.txt
      user_prompt_file: user.txt
      tools: [get_current_period]
"""


def written(folder: Path) -> None:
    """The two prompts of the profile."""
    (folder / "desk.txt").write_text("You answer.", encoding="utf-8")
    (folder / "user.txt").write_text("A guest writes at {{ received }}:\n{{ mail }}{{ facts }}", encoding="utf-8")


def configured(folder: Path, first: str, second: str) -> str:
    """Path of a triage.yaml with these two servers."""
    (folder / "triage.yaml").write_text(CONFIG.format(first=first, second=second), encoding="utf-8")
    return str(folder / "triage.yaml")


async def test_the_prefix_names_the_server(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A profile's model is asked at its provider, its fallback at another one, with the profile's limits and prices."""
    written(tmp_path)
    first, second = openai_app(Script(Turn(text="From the first."))), openai_app(Script(Turn(text="From the second.")))
    with Served(first) as one, Served(second) as two:
        rules = configured(tmp_path, one.url, two.url)
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=rules) as opened:
            report = await delivered(opened, letter(), "a", Trust.VERIFIED)
        rules = configured(tmp_path, "http://127.0.0.1:1", two.url)
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=rules) as opened:
            other = await delivered(opened, letter(subject="Other", message_id="<2@x.example>"), "b", Trust.VERIFIED)
    [body] = [one.body for one in first.state.journal]

    assert report.case.result
    assert other.case.result
    assert (report.case.result.final_message, report.case.result.usage.cost_usd is not None) == (
        "From the first.",
        True,
    )
    assert (body["model"], body["temperature"], body["max_completion_tokens"]) == ("small", 0.3, 777)
    assert (other.case.result.final_message, second.state.journal[-1].body["model"]) == ("From the second.", "large")


async def test_the_prompt_is_the_profiles(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An agent without ticket tools hears nothing of tickets, priorities and types; the mail stays behind its fence."""
    written(tmp_path)
    app = openai_app(Script(Turn(text="Yes.")))
    with Served(app) as server:
        async with house(cloud_jira, tmp_path, TRIAGE_CONFIG=configured(tmp_path, server.url, server.url)) as opened:
            await delivered(opened, letter(), "a", Trust.VERIFIED)
    system, user = (said["content"] for said in app.state.journal[0].body["messages"])

    assert system == "You answer."
    assert user.startswith("A guest writes at ")
    assert re.search(r"<<<MAIL (\w+)\nFrom: Dora.*\n\1 MAIL>>>\n", user, re.DOTALL)
    assert not re.search(r"TICKETS|priority|keys_mentioned|\"type\"|duplicate", user)


def test_a_template_that_cannot_work_is_refused(tmp_path: Path) -> None:
    """A user prompt that is no template, or names what it is not given, is told at start."""
    from cli.wiring.agents.profiles import agents_of
    from triage.config.triage_yaml import load_config

    (tmp_path / "desk.txt").write_text("You answer.", encoding="utf-8")
    (tmp_path / "triage.yaml").write_text(CONFIG.format(first="http://a", second="http://b"), encoding="utf-8")
    for text, told in (
        ("{{ mail", "is no Jinja2 template"),
        ("{{ body }}", "names body; it is given facts, mail, now, received"),
    ):
        (tmp_path / "user.txt").write_text(text, encoding="utf-8")
        with pytest.raises(SettingsInvalid, match=told):
            agents_of(load(Isolated), load_config(tmp_path / "triage.yaml"))


def test_a_key_comes_from_environment_file_or_dotenv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable that a provider names is read as every other secret; isolated settings read none."""
    provider = ModelProvider(url="https://x", key="MY_MODEL_KEY")
    monkeypatch.chdir(tmp_path)
    settings = load(Settings)
    found = [key_of(provider, settings)]
    (tmp_path / ".env").write_text("MY_MODEL_KEY=dotenv\n", encoding="utf-8")
    found.append(key_of(provider, settings))
    monkeypatch.setenv("MY_MODEL_KEY", "environment")
    found.append(key_of(provider, settings))
    monkeypatch.delenv("MY_MODEL_KEY")
    (tmp_path / ".env").unlink()
    (tmp_path / "secret").write_text("file\n", encoding="utf-8")
    monkeypatch.setenv("MY_MODEL_KEY_FILE", str(tmp_path / "secret"))
    found.append(key_of(provider, settings))

    assert found == ["", "dotenv", "environment", "file"]
    assert key_of(provider, load(Isolated)) == ""
    assert key_of(ModelProvider(url="https://x"), settings) == ""


def test_who_is_asked(tmp_path: Path) -> None:
    """Without a provider's key a server of OPENAI_BASE_URL gets the whole name; OpenAI's own gets the name behind `openai/`."""
    gateway = load(Isolated, OPENAI_BASE_URL="http://127.0.0.1:1", OPENAI_API_KEY="x")
    own = load(Isolated, OPENAI_API_KEY="x", ANTHROPIC_API_KEY="y")

    def name(settings: Settings, model: str) -> str:
        found = Models(settings)(Profile(name="p", tools=(), prompt="", model=model))
        return found.name if found else "playbook"

    assert [name(gateway, model) for model in ("gemini/g", "openai/o", "meta/m")] == ["gemini/g", "openai/o", "meta/m"]
    assert [name(own, model) for model in ("openai/o", "anthropic/c", "plain")] == ["o", "c", "plain"]
    assert name(load(Isolated), "gemini/g") == "playbook"


def test_a_model_that_nobody_can_be_asked_for_is_refused(tmp_path: Path) -> None:
    """With OpenAI's own server a prefix without key, or without provider, is told at start with the cure."""
    from cli.wiring.agents.profiles import agents_of
    from triage.config.triage_yaml import load_config

    (tmp_path / "desk.txt").write_text("You answer.", encoding="utf-8")
    (tmp_path / "user.txt").write_text("{{ mail }}", encoding="utf-8")
    text = CONFIG.format(first="http://a", second="http://b").replace("local/small", "gemini/g")
    (tmp_path / "triage.yaml").write_text(text.replace("other/large", "[lost/x, anthropic/c]"), encoding="utf-8")
    with pytest.raises(SettingsInvalid) as refused:
        agents_of(load(Isolated, OPENAI_API_KEY="x"), load_config(tmp_path / "triage.yaml"))

    for part in ("gemini/g: GEMINI_API_KEY is missing", "there is no provider lost", "ANTHROPIC_API_KEY is missing"):
        assert part in str(refused.value)
