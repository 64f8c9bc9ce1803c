"""A sandbox in the place of a real Jira: seeded by a folder, with the rest of the settings as they are."""

from pathlib import Path

import httpx2
import pytest

from cli.demo.world import in_sandbox
from triage.config.settings import Isolated, load
from triage.domain.errors import SettingsInvalid

TICKET = """
- key: HARB-1
  type: Bug
  status: To Do
  priority: High
  summary: The printer burns
  description: Smoke.
  reporter: carla.jimenez
  created_days_ago: 3
  updated_days_ago: 2
  components: [Monitoring]
"""
SETTINGS = load(Isolated, OPENAI_MODEL="mine")


def count(folder: Path, store: Path) -> tuple[int, str]:
    """Number of tickets that a client finds, and the model of the settings."""
    with in_sandbox(SETTINGS, folder, store) as settings:
        auth = (settings.jira_email, settings.jira_api_token.get_secret_value())
        asked = {"jql": f"project = {settings.jira_project_key}", "maxResults": "100"}
        answer = httpx2.get(f"{settings.jira_base_url}/rest/api/3/search/jql", params=asked, auth=auth)
    return len(answer.raise_for_status().json()["issues"]), settings.openai_model


def test_the_tickets_of_the_folder(tmp_path: Path) -> None:
    """A folder with tickets.yaml has those, one without has the demo's; the own model stays."""
    demo = count(tmp_path, tmp_path)
    (tmp_path / "tickets.yaml").write_text(TICKET, encoding="utf-8")
    own = count(tmp_path, tmp_path)

    assert (demo, own) == ((70, "mine"), (1, "mine"))


def test_a_broken_story_is_named(tmp_path: Path) -> None:
    """A mistake in tickets.yaml is told with its file, not as a traceback."""
    (tmp_path / "tickets.yaml").write_text(TICKET.replace("priority", "prio"), encoding="utf-8")
    with pytest.raises(SettingsInvalid, match=r"tickets\.yaml"), in_sandbox(SETTINGS, tmp_path, tmp_path):
        pass
