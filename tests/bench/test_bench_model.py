"""CPU per model call: our adapter beside the SDK as documented, against the same server, in the same run."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import openai
import pytest

from integrations.models.openai_model import OpenAIModel
from triage.domain.conversation import ChatMessage, Role, ToolCall, ToolSpec
from triage.domain.untrusted import Prompt

SERVER = """
import time
from triage_sandbox.openai_app import Script, openai_app
from triage_sandbox.server import Served
from triage.domain.conversation import ToolCall, Turn
call = ToolCall(id="call_1", name="tool_1", arguments='{"p0": "printer"}')
with Served(openai_app(Script(Turn(text="", calls=(call,)))), lifespan="off") as served:
    print(served.url, flush=True)
    time.sleep(600)
"""
CALLS = 192
PARALLEL = (1, 16, 64)

FIELD = {"type": "string", "description": "what is looked for, in the words of the mail"}
SCHEMA = {"type": "object", "properties": {f"p{n}": FIELD for n in range(6)}, "required": ["p0"]}
TOOLS = tuple(ToolSpec(name=f"tool_{n}", description="Find tickets. " * 12, parameters=SCHEMA) for n in range(7))
CONVERSATION = (
    ChatMessage.system(Prompt("policy " * 430)),
    ChatMessage.user(Prompt("mail " * 1200)),
    ChatMessage(role=Role.ASSISTANT, text="", calls=(ToolCall(id="call_0", name="tool_0", arguments='{"p0":"x"}'),)),
    ChatMessage.tool("call_0", '{"tickets":"' + "OPS-1 " * 500 + '"}'),
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server in a process of its own, so that its work is not counted."""
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


async def cpu_ms(call: Callable[[], Awaitable[Any]], parallel: int) -> float:
    """Milliseconds of this process per call."""
    await call()
    before = time.process_time()
    for _ in range(CALLS // parallel):
        await asyncio.gather(*[call() for _ in range(parallel)])
    return (time.process_time() - before) / CALLS * 1000


def documented(client: openai.AsyncOpenAI) -> Callable[[], Awaitable[Any]]:
    """A call as the SDK's README shows it."""
    tools: Any = [
        {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": t.parameters}}
        for t in TOOLS
    ]
    use = {"id": "call_0", "type": "function", "function": {"name": "tool_0", "arguments": '{"p0":"x"}'}}
    messages: Any = [
        {"role": "system", "content": CONVERSATION[0].text},
        {"role": "user", "content": CONVERSATION[1].text},
        {"role": "assistant", "content": None, "tool_calls": [use]},
        {"role": "tool", "tool_call_id": "call_0", "content": CONVERSATION[3].text},
    ]
    return lambda: client.chat.completions.create(model="m", messages=messages, tools=tools, max_completion_tokens=4000)


@pytest.mark.bench
async def test_cpu_per_call(url: str) -> None:
    """Our adapter takes at most 70 % of the CPU that the documented call takes."""
    ours = OpenAIModel(api_key="k", base_url=f"{url}/v1", model="m", timeout=30.0)
    theirs = openai.AsyncOpenAI(api_key="k", base_url=f"{url}/v1", timeout=30.0)
    plain = documented(theirs)
    rows = []
    for parallel in PARALLEL:
        pairs = [
            (await cpu_ms(lambda: ours.complete(CONVERSATION, TOOLS, 4000), parallel), await cpu_ms(plain, parallel))
            for _ in range(3)
        ]
        rows.append((parallel, *(sorted(values)[1] for values in zip(*pairs, strict=True))))
    await ours.close()
    await theirs.close()

    print("\nmodel call, CPU ms      ours  documented  ratio")
    for parallel, mine, yours in rows:
        print(f"{parallel:>3} in parallel      {mine:>8.2f}  {yours:>10.2f}  {mine / yours:>5.2f}")
    assert all(mine <= 0.7 * yours for _, mine, yours in rows)
