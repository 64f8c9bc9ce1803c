"""What our loop costs beside a hand-written one: same `openai` client, same zero-delay server, store off."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from statistics import median
from typing import Any

import pytest
from openai import AsyncOpenAI

from integrations.models.openai_model import OpenAIModel
from integrations.system_clock import SystemClock
from tests.conftest import ROOT
from triage.agent.loop import Limits, Loop
from triage.agent.toolbox import Invocation, Toolbox
from triage.agent.wrappers import Guard, guarded
from triage.domain.conversation import ChatMessage, Json
from triage.domain.untrusted import Prompt
from triage.policy.decision.permission import RunHistory, Terms, Verdict, verdict
from triage.policy.decision.rights import Sender
from triage.toolsets.calendar.tools import get_current_period
from triage.toolsets.tickets.tools import TICKET_TOOLS

pytestmark = pytest.mark.bench

SERVER = """
import time
from triage_sandbox.openai_app import Script, openai_app
from triage_sandbox.server import Served
from triage.domain.conversation import ToolCall, Turn, Usage
def turn(n, name, arguments):
    return Turn(text="", calls=(ToolCall(id=f"call_{n}", name=name, arguments=arguments),), usage=Usage())
script = Script(
    turn(1, "read_jira_tickets", '{"search_text": "invoice export fails", "days": 30}'),
    turn(2, "create_jira_ticket", '{"summary": "Invoice export fails", "description": "It stops.", "issue_type": "Bug"}'),
    Turn(text="Created HARB-71."),
)
with Served(openai_app(script)) as served:
    print(served.url, flush=True)
    time.sleep(600)
"""
TOOLS = (get_current_period, *TICKET_TOOLS)
SYSTEM = "You turn e-mails into Jira work. " * 40
USER = "Process this e-mail. The invoice export stops at 80 %. " * 20
FOUND = {
    "total": 20,
    "tickets": [{"key": f"HARB-{n}", "summary": "Invoice export", "status": "To Do"} for n in range(20)],
}
MADE = {"status": "created", "key": "HARB-71"}
ANSWERS: dict[str, Json] = {"read_jira_tickets": FOUND, "create_jira_ticket": MADE}
MAILS = 192


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The model's server in a process of its own, so that its CPU time is not ours."""
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.terminate()


def ours(model: OpenAIModel) -> Callable[[], Awaitable[str]]:
    """The product's loop with its guard."""
    box, clock = Toolbox(TOOLS), SystemClock()

    async def call(invocation: Invocation) -> Json:
        return ANSWERS[invocation.tool.name]

    async def judge(invocation: Invocation, history: RunHistory) -> Verdict:
        tool = invocation.tool
        return verdict(tool.name, tool.grant, tool.rule, invocation.arguments, history, Terms(sender=Sender()))

    async def mail() -> str:
        guard = Guard(judge, RunHistory())
        loop = Loop(model, box, guarded(call, guard), Limits(), clock, "f00d")
        result = await loop.run((ChatMessage.system(Prompt(SYSTEM)), ChatMessage.user(Prompt(USER))))
        return result.final_message

    return mail


def by_hand(client: AsyncOpenAI) -> Callable[[], Awaitable[str]]:
    """Thirty lines as everybody writes them, with one client for all mails."""
    tools: Any = [
        {
            "type": "function",
            "function": {"name": t.name, "description": t.spec.description, "parameters": t.spec.parameters},
        }
        for t in TOOLS
    ]

    async def mail() -> str:
        messages: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]
        for _ in range(10):
            answer = await client.chat.completions.create(
                model="m", messages=messages, tools=tools, tool_choice="auto", max_completion_tokens=4000
            )
            message = answer.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return message.content or ""
            for call in message.tool_calls:
                assert call.type == "function"
                json.loads(call.function.arguments)
                result = ANSWERS[call.function.name]
                messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
        return ""

    return mail


async def cpu_per_mail(mail: Callable[[], Awaitable[str]], at_once: int) -> float:
    """Milliseconds of CPU of this process per mail."""
    places = asyncio.Semaphore(at_once)

    async def one() -> None:
        async with places:
            assert await mail() == "Created HARB-71."

    before = time.process_time()
    await asyncio.gather(*[one() for _ in range(MAILS)])
    return (time.process_time() - before) / MAILS * 1000


async def test_loop_overhead(server: str) -> None:
    """The loop costs at most 1.3 times a hand-written one at 1, 16 and 64 mails in parallel."""
    model, client = (
        OpenAIModel(api_key="x", base_url=f"{server}/v1", model="m", timeout=30),
        AsyncOpenAI(api_key="x", base_url=f"{server}/v1"),
    )
    mine, hand = ours(model), by_hand(client)
    await cpu_per_mail(mine, 8)
    await cpu_per_mail(hand, 8)
    print("\nCPU ms per mail (3 turns: search, create, text); median of 5 pairs\nparallel   ours   by hand   ratio")
    ratios = []
    for at_once in (1, 16, 64):
        pairs = [(await cpu_per_mail(mine, at_once), await cpu_per_mail(hand, at_once)) for _ in range(5)]
        ratios.append(median(a / b for a, b in pairs))
        print(f"{at_once:8} {median(a for a, _ in pairs):6.2f} {median(b for _, b in pairs):9.2f} {ratios[-1]:7.2f}")
    await asyncio.gather(model.close(), client.close())

    assert max(ratios) <= 1.3
