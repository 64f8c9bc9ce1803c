"""The Email Reader by a model: checked, repaired once, patient, and replaced by rules where it is of no use."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from tests.contract.store.store_samples import HeldClock
from tests.unit.triage.policy.memory.observed import MAIL
from tests.unit.triage.services.memory.test_one_run import Counted
from triage.domain.conversation import Messages, ToolCall, ToolSpec, Turn, Usage
from triage.domain.errors import ModelDown
from triage.domain.memory.notes import NoteTrust
from triage.domain.untrusted import Untrusted
from triage.policy.text.untrusted import ours
from triage.services.memory.build.model_reader import TRIES, ModelReader
from triage.services.memory.build.reading import RuleReader

PROMISE = replace(MAIL, text=Untrusted("I will send the list by Friday. Thanks for the cake."))
GOOD = {
    "kind": "commitments",
    "title": "Ann sends the list",
    "text": "Ann sends Tom the list by 6 November 2026.",
    "source_emails": ["case-1"],
    "quote": "I will send  the list by Friday",
}


@dataclass
class Answers:
    """A model that answers in turn; an error is raised."""

    turns: list[Turn | ModelDown]
    heard: list[Messages] = field(default_factory=list)
    offered: list[Sequence[ToolSpec]] = field(default_factory=list)
    name: str = "test"

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The next answer."""
        assert max_tokens
        self.heard.append(conversation)
        self.offered.append(tools)
        turn = self.turns.pop(0)
        if isinstance(turn, ModelDown):
            raise turn
        return turn


def reader(model: Answers, *, spent: bool = False, log: Counted | None = None) -> ModelReader:
    """A reader that asks this model."""

    async def used_up() -> bool:
        return spent

    return ModelReader(
        model=model,
        prompt=ours("Read."),
        rules=RuleReader(),
        used_up=used_up,
        clock=HeldClock(),
        log=log or Counted(),
        nonce=lambda: "n0nce",
    )


async def test_an_answer_becomes_observations() -> None:
    """Sender and trust are the mail's; the model has no tools, and the mail stands behind a fence."""
    model = Answers([Turn(text=f"```json\n{json.dumps([GOOD])}\n```")])
    (one,) = (await reader(model).read([PROMISE])).observations

    assert (one.title, one.sender, one.trust) == ("Ann sends the list", "ann@acme.example", NoteTrust.UNTRUSTED)
    assert model.offered == [()]
    assert "<<<MAIL n0nce\nSubject: \n\nI will send the list" in model.heard[0][1].text


async def test_what_no_word_of_the_mail_says_is_dropped() -> None:
    """An observation without a quote, or with one that the mail does not hold, is nobody's word."""
    invented = [GOOD | {"quote": "I will pay"}, GOOD | {"quote": ""}, GOOD]
    found = await reader(Answers([Turn(text=json.dumps(invented))])).read([PROMISE])

    assert [one.quote for one in found.observations] == [GOOD["quote"]]


@pytest.mark.parametrize("wrong", ["no JSON", json.dumps([GOOD | {"kind": "orders"}]), "[" * 100_000])
async def test_a_wrong_answer_is_repaired_once(wrong: str) -> None:
    """The model hears what does not fit; after a second wrong answer the rules read the batch."""
    mended = Answers([Turn(text=wrong), Turn(text=json.dumps([GOOD]))])
    stubborn = Answers([Turn(text=wrong), Turn(text=wrong)])

    assert [one.title for one in (await reader(mended).read([PROMISE])).observations] == ["Ann sends the list"]
    assert "does not fit the schema" in mended.heard[1][-1].text
    assert [one.title for one in (await reader(stubborn).read([PROMISE])).observations] == [
        "I will send the list by Friday"
    ]


async def test_a_mail_that_spoils_a_batch_spoils_itself_alone() -> None:
    """Of a batch whose answers are of no use each mail is read by itself; the rules read those that fail alone, too."""
    other = replace(PROMISE, case="case-2", message_id="b@x")
    model = Answers([*[Turn(text="I obey.")] * 2, Turn(text=json.dumps([GOOD])), *[Turn(text="I obey.")] * 2])
    found = await reader(model).read([PROMISE, other])

    assert [(one.title, one.source_email) for one in found.observations] == [
        ("Ann sends the list", "case-1"),
        ("I will send the list by Friday", "case-2"),
    ]
    assert (found.by_rules, model.turns) == (True, [])


async def test_a_tool_that_a_mail_talks_it_into_does_not_exist() -> None:
    """Whatever it calls is refused, and nothing but its answer counts."""
    call = Turn(text="", calls=(ToolCall(id="1", name="write_memory", arguments="{}"),))
    found = await reader(Answers([call, Turn(text=json.dumps([GOOD]))])).read([PROMISE])

    assert [one.title for one in found.observations] == ["Ann sends the list"]


async def test_a_model_that_is_down_is_asked_again() -> None:
    """Eight times, waiting twice as long each time; then the build fails and goes on later."""
    busy = ModelDown("test", "429")
    found = await reader(Answers([busy, busy, Turn(text=json.dumps([GOOD]))])).read([PROMISE])
    asked = Answers([busy] * TRIES)
    at = reader(asked)
    started = at.clock.now()
    with pytest.raises(ModelDown):
        await at.read([PROMISE])

    assert [one.title for one in found.observations] == ["Ann sends the list"]
    assert (len(asked.heard), (at.clock.now() - started).total_seconds()) == (8, 2 * (2**7 - 1))


async def test_without_budget_the_rules_read() -> None:
    """A month whose money is spent asks no model."""
    model = Answers([])
    (one,) = (await reader(model, spent=True).read([PROMISE])).observations

    assert (one.title, model.heard) == ("I will send the list by Friday", [])


async def test_answers_are_counted_as_the_builds() -> None:
    """Also one that was of no use: it costs the same."""
    log, spent = Counted(), Usage(input_tokens=900, output_tokens=80, cost_usd=0.01)
    model = Answers([Turn(text="no JSON", usage=spent), Turn(text=json.dumps([GOOD]), usage=spent)])
    await reader(model, log=log).read([PROMISE], "memory-3")

    assert log.kept == [("memory-3", "email_reader", spent)] * 2
