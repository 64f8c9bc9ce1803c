"""Cassettes: recorded once with a key, replayed without network; what does not fit says so and says why."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from integrations.models.cassettes import CassetteMissing, Cassettes, difference, parts_of
from integrations.models.openai_model import OpenAIModel
from integrations.models.wire import BoundedClient
from tests.conftest import PATIENCE
from triage.domain.conversation import ChatMessage, Turn, Usage
from triage.domain.errors import ModelDenied
from triage.domain.untrusted import Prompt
from triage_sandbox.openai_app import Reply, Script, openai_app
from triage_sandbox.server import Served

KEY = "sk-0123456789abcdef"
ANSWER = Turn(text=f"Done, and your key is {KEY}.", usage=Usage(input_tokens=7, output_tokens=3))
BUSY = Reply(status=503, body=b'{"error":{"message":"busy"}}', headers={"retry-after-ms": "1"})


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A model server that wants its key, and is busy at the first try."""
    with Served(openai_app(Script([BUSY, ANSWER]), api_key=KEY), lifespan="off") as served:
        yield f"{served.url}/v1"


def said(nonce: str, day: int, mail: str = "It burns.", system: str = "You file tickets.") -> tuple[ChatMessage, ...]:
    """A conversation as it differs from run to run."""
    text = f"<<<MAIL {nonce}\n{mail}\n{nonce} MAIL>>> case-{day} at http://127.0.0.1:80{day}, 2026-11-{day} 09:05 UTC."
    return ChatMessage.system(Prompt(system)), ChatMessage.user(Prompt(text))


async def asked(tape: Cassettes, url: str, conversation: tuple[ChatMessage, ...], key: str = KEY) -> Turn:
    """What a model over this transport answers."""
    async with BoundedClient(5.0, tape) as client:
        model = OpenAIModel(api_key=key, base_url=url, model="m", timeout=PATIENCE, retries=2, http_client=client)
        return await model.complete(conversation, (), 50)


async def recorded(folder: Path, url: str) -> Cassettes:
    """A cassette of one case."""
    tape = Cassettes(folder, httpx2.AsyncHTTPTransport())
    tape.insert("01-fire")
    await asked(tape, url, said("0badcafe", 20))
    tape.keep()
    return tape


async def test_a_recording_is_replayed_without_a_server(tmp_path: Path, server: str) -> None:
    """Another day, another nonce, another port, no key: the same answer with the same usage, from the file alone."""
    await recorded(tmp_path, server)
    tape = Cassettes(tmp_path)
    tape.insert("01-fire")
    turn = await asked(tape, "http://nowhere.invalid/v1", said("deadbeef", 21), key="")

    assert (turn.text, turn.usage.input_tokens) == ("Done, and your key is ***.", 7)
    assert tape.missing is None


async def test_a_cassette_holds_no_secret_and_no_mail(tmp_path: Path, server: str) -> None:
    """Neither the key nor a word of the request is in the file; of headers only those that a replay needs."""
    await recorded(tmp_path, server)
    text = (tmp_path / "01-fire.json").read_text(encoding="utf-8")
    (answer,) = json.loads(text)["answers"]

    assert [word for word in (KEY, "It burns", "file tickets", "Bearer") if word in text] == []
    assert (answer["status"], set(answer["headers"])) == (200, {"content-type"})


@pytest.mark.parametrize(
    ("conversation", "hint"),
    [
        (said("deadbeef", 21, mail="It rains."), r"changed: message 2 \(user\)\)$"),
        (said("deadbeef", 21, system="You close tickets."), r"changed: message 1 \(system\)\)$"),
        ((*said("deadbeef", 21), ChatMessage.user(Prompt("And?"))), r"new: message 3 \(user\)\)$"),
    ],
    ids=["mail", "system", "more"],
)
async def test_a_request_that_does_not_fit(
    tmp_path: Path, server: str, conversation: tuple[ChatMessage, ...], hint: str
) -> None:
    """The error names the file and the part of the request that has changed since the recording."""
    await recorded(tmp_path, server)
    tape = Cassettes(tmp_path)
    tape.insert("01-fire")
    with pytest.raises(ModelDenied, match="another one than the recorded"):
        await asked(tape, server, conversation)

    assert tape.missing is not None
    assert tape.missing.cassette == tmp_path / "01-fire.json"
    with pytest.raises(CassetteMissing, match=hint):
        raise tape.missing


async def test_a_case_without_a_cassette(tmp_path: Path, server: str) -> None:
    """A case that nobody has recorded says that, not that its request has changed."""
    tape = Cassettes(tmp_path)
    tape.insert("02-flood")
    with pytest.raises(ModelDenied, match="nothing is recorded"):
        await asked(tape, server, said("deadbeef", 21))

    assert tape.missing is not None
    assert tape.missing.cassette.name == "02-flood.json"


async def test_a_case_that_asked_no_model_leaves_no_file(tmp_path: Path, server: str) -> None:
    """What was recorded for it earlier is removed, so a folder holds no stale answers."""
    tape = await recorded(tmp_path, server)
    tape.insert("01-fire")
    tape.keep()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["no json", "[]", '{"format": 2, "answers": []}', '{"format": 1, "answers": [{}]}'])
def test_a_broken_cassette_is_named(tmp_path: Path, text: str) -> None:
    """A file that is no cassette, or one of another format, is refused with its name."""
    (tmp_path / "01-fire.json").write_text(text, encoding="utf-8")
    with pytest.raises(CassetteMissing, match=r"01-fire\.json"):
        Cassettes(tmp_path).insert("01-fire")


def test_tools_of_both_shapes_are_parts() -> None:
    """A changed tool is named, in OpenAI's shape as in Anthropic's."""
    old = parts_of("/v1/messages", b'{"model":"m","tools":[{"name":"find","input_schema":{}}],"messages":[]}')
    new = parts_of("/v1/messages", b'{"model":"m","tools":[{"name":"find","input_schema":{"a":1}}],"messages":[]}')
    function = parts_of(
        "/v1/chat/completions", b'{"model":"m","tools":[{"type":"function","function":{"name":"find"}}]}'
    )

    assert difference(new, [old]).endswith("changed: tool find")
    assert "tool find" in function
    assert difference(new, [new | {"temperature": "1"}]).endswith("gone: temperature")
