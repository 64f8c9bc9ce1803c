"""A question of a command to a service."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli.verb import Service
from triage.config.settings import Settings
from triage.domain.errors import CaseNotFound


def test_a_service_is_closed_whatever_it_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is opened with the settings of the process; an error of the question closes it, and is raised."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JIRA_PROJECT_KEY", "OPS")
    seen: list[str] = []

    @asynccontextmanager
    async def opened(settings: Settings) -> AsyncIterator[str]:
        seen.append(f"opened {settings.jira_project_key}")
        try:
            yield "service"
        finally:
            seen.append("closed")

    async def answered(service: str) -> int:
        return len(service)

    async def refused(service: str) -> int:
        raise CaseNotFound(service)

    assert Service(opened).ask(answered) == 7
    with pytest.raises(CaseNotFound):
        Service(opened).ask(refused)
    assert seen == ["opened OPS", "closed"] * 2
