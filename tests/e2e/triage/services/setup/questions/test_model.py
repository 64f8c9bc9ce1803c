"""The question about the model, asked of a real server in OpenAI's shape."""

from pathlib import Path

import pytest

from cli.demo.prompt_reader import PromptReader
from cli.setup import trials
from tests.servers import free_port
from tests.unit.triage.services.setup.asker import asker, said
from triage.services.setup.draft import Draft
from triage.services.setup.questions.model import ModelQuestions
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

model = ModelQuestions(trials)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder."""
    monkeypatch.chdir(tmp_path)


async def test_another_server_answers_one_word() -> None:
    """A server that does not answer is told and asked for again; the key is never shown."""
    with Served(openai_app(PromptReader())) as served:
        closed = f"http://127.0.0.1:{free_port()}/v1"
        ask = asker(
            "other", closed, "a-long-secret-key", "small", "other", f"{served.url}/v1/", "a-long-secret-key", "small"
        )
        draft = await model.which(ask, Draft())

    assert draft.changes == {
        "OPENAI_BASE_URL": f"{served.url}/v1", "OPENAI_API_KEY": "a-long-secret-key", "OPENAI_MODEL": "small"
    }  # fmt: skip
    assert "cannot be reached" in " ".join(said(ask).split())
    assert "a-long-secret-key" not in said(ask)


async def test_a_server_that_asks_for_no_key_gets_none() -> None:
    """`none` leaves the key empty: a placeholder would be a secret, and its word would be masked in every log line.

    The next set-up offers the same again.
    """
    with Served(openai_app(PromptReader())) as served:
        draft = await model.which(asker("other", f"{served.url}/v1", "None", "small"), Draft())
        kept = {"OPENAI_BASE_URL": f"{served.url}/v1", "OPENAI_MODEL": "small"}
        again = await model.which(asker("", "", "", "small"), Draft(kept=kept))

    assert draft.changes == {**kept, "OPENAI_API_KEY": None}
    assert again.changes == draft.changes


async def test_none_means_rules_alone() -> None:
    """It is the default, and takes a key and an address out that the file had."""
    kept = {"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1", "OPENAI_MODEL": "small"}
    assert (await model.which(asker(""), Draft())).changes["OPENAI_API_KEY"] is None
    assert (await model.which(asker("none"), Draft(kept={"OPENAI_API_KEY": "x"}))).changes["OPENAI_API_KEY"] is None
    assert (await model.which(asker("none"), Draft(kept=kept))).changes == dict.fromkeys([*kept, "OPENAI_API_KEY"])
