"""What models really send, played over HTTP: whatever it is, the mail ends once, as is written beside the transcript."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi import FastAPI, Request, Response

from cli.wiring.app import App
from tests.e2e.opened import again, house, judge, take
from tests.servers.sandbox import RunningJira
from triage_sandbox.openai_app import Reply, sent
from triage_sandbox.server import Served

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.yaml"))


@dataclass
class Player:
    """A server that sends these answers one after the other, whatever it is asked; the last one for ever."""

    answers: list[dict[str, Any]]
    asked: int = 0
    heard: str = ""
    """The last request."""

    def app(self) -> FastAPI:
        """The endpoints of OpenAI's shape and of Anthropic's."""
        app = FastAPI(openapi_url=None)
        for path in ("/v1/chat/completions", "/v1/messages"):
            app.add_route(path, self._answer, methods=["POST"])
        return app

    async def _answer(self, request: Request) -> Response:
        self.heard = (await request.body()).decode()
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        body = answer["body"]
        content = body if isinstance(body, str) else json.dumps(body)
        headers = {"retry-after-ms": "1", **answer.get("headers", {})}
        return await sent(
            Reply(status=answer.get("status", 200), body=content.encode(), headers=headers), request, None
        )


@asynccontextmanager
async def told(player: Player, jira: RunningJira, folder: Path, api: str) -> AsyncIterator[App]:
    """A house whose model is the player."""
    with Served(player.app(), lifespan="off") as served:
        openai = {"OPENAI_BASE_URL": f"{served.url}/v1", "OPENAI_API_KEY": "sk-wrong-0123456789"}
        anthropic = {"ANTHROPIC_BASE_URL": served.url, "ANTHROPIC_API_KEY": "sk-x", "ANTHROPIC_MODEL": "claude"}
        async with house(jira, folder, dry_run=False, **(anthropic if api == "anthropic" else openai)) as opened:
            yield opened


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
async def test_a_mail_ends_once_whatever_a_model_sends(path: Path, tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The right outcome, in Jira itself at most one ticket and the expected comments, and a report that says why."""
    story = yaml.safe_load(path.read_text(encoding="utf-8"))
    expected, player = story["expect"], Player(story["answers"])
    async with told(player, cloud_jira, tmp_path, story.get("api", "openai")) as opened:
        report = await take(opened, f"{story['mail']}.eml")
        waited = ""
        if "waits" in expected:
            waited = report.trouble
            report = await again(opened, report)
    case, jira = report.case, judge(cloud_jira, tmp_path)
    created = jira.created()
    comments = {key: len(jira.comments(key)) for key in expected.get("comments", {})}

    assert (case.outcome, len(created), comments) == (
        expected["outcome"],
        expected.get("created", 0),
        expected.get("comments", {}),
    ), case.reason or report.trouble
    assert len(cloud_jira.requests("POST", "/issue$")) == len(created)
    assert sum(len(jira.comments(key)) for key in {"HARB-12", *created}) == sum(comments.values())
    assert expected.get("reason", "") in case.reason
    assert expected.get("waits", "") in waited
    assert player.asked == expected["asked"]
    assert expected.get("sends_back", "") in player.heard


def test_there_are_transcripts_of_all_behaviours() -> None:
    """Each file says what it is about, and no two are the same story."""
    stories = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in TRANSCRIPTS]

    assert len({story["about"] for story in stories}) == len(stories) >= 12
    assert {story.get("api", "openai") for story in stories} == {"openai", "anthropic"}
