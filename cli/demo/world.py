"""A sandbox Jira on loopback in the place of a real one: for `triage eval cases`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from triage.domain.errors import SettingsInvalid

if TYPE_CHECKING:
    from triage.config.settings import Settings
    from triage_sandbox.jira.seed.story import Story

SECRET: Final = "sandbox"  # noqa: S105 - fixed, so that equal mails give equal prompts and recorded answers fit
ALWAYS: Final = {"jira_request_type": "", "settle_seconds": 0.0, "log_level": "ERROR"}


@contextmanager
def in_sandbox(settings: "Settings", folder: Path, store: Path) -> "Iterator[Settings]":
    """Yield these settings with a sandbox Jira in the place of theirs, and a new database in the folder `store`.

    The Jira holds the company and tickets of `folder` (`project.yaml`, `tickets.yaml`), else those of the demo.
    Raises `SettingsInvalid` for a file that is no story.
    """
    from triage_sandbox.company import StoryBroken
    from triage_sandbox.jira.app import jira_app
    from triage_sandbox.jira.seed.story import Story
    from triage_sandbox.server import Served

    try:
        story = Story.of_folder(folder)
        jira = jira_app(seed=story)
    except (StoryBroken, LookupError) as e:
        raise SettingsInvalid((f"{folder}: no story of a Jira project: {e}",)) from e
    with Served(jira) as served:
        yield settings.model_copy(update=_instead(served.url, story, store))


def addresses_in(folder: Path) -> dict[str, str]:
    """Return id → address of the people of `in_sandbox`; like Jira Cloud, it shows few of them itself."""
    from triage_sandbox.jira.seed.story import Story

    return {person.id: person.email for person in Story.of_folder(folder).project.people if person.email}


def _instead(jira: str, story: "Story", store: Path) -> dict[str, object]:
    """Return the settings of the sandbox and of the new database."""
    from pydantic import SecretStr

    from triage_sandbox.jira.app import TOKEN

    return {
        "jira_base_url": jira,
        "jira_project_key": story.project.key,
        "jira_email": story.bot.email,
        "jira_api_token": SecretStr(TOKEN),
        "jira_token": SecretStr(""),
        "database_url": SecretStr(f"sqlite:///{store / 'cases.db'}"),
        "redis_url": SecretStr(""),
        "triage_secret": SecretStr(SECRET),
        **ALWAYS,
    }
