"""A chain of models: who is asked, who rests, and whose error is told."""

import asyncio
from collections.abc import Sequence

import pytest

from integrations.models.fallback_model import FAILURES, REST, FallbackModel
from triage.domain.conversation import ChatMessage, Messages, ToolSpec, Turn
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown, TriageError
from triage.domain.untrusted import Prompt

ASK = (ChatMessage.user(Prompt("hello")),)


class Puppet:
    """A model that answers or fails as told, and counts."""

    def __init__(self, name: str, trouble: TriageError | None = None) -> None:
        self.name = name
        self.trouble = trouble
        self.asked = 0

    async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """The one thing it can say."""
        self.asked += 1
        if self.trouble is not None:
            raise self.trouble
        return Turn(text=f"{self.name} here")


class Watch:
    """Time that passes when told to."""

    seconds = 0.0

    def __call__(self) -> float:
        """Now."""
        return self.seconds


def down(name: str, retry_after: float | None = None) -> ModelDown:
    """A model that cannot be reached."""
    return ModelDown(name, "500", retry_after=retry_after)


async def ask(chain: FallbackModel) -> Turn:
    """One turn."""
    return await chain.complete(ASK, (), 10)


async def trouble_of(chain: FallbackModel) -> TriageError:
    """What one turn ends in."""
    with pytest.raises(TriageError) as caught:
        await ask(chain)
    return caught.value


async def test_the_first_answers() -> None:
    """The second is not asked while the first is well, and the turn says who answered."""
    first, second = Puppet("a"), Puppet("b")
    turn = await ask(FallbackModel([first, second]))

    assert (turn.text, turn.model, second.asked) == ("a here", "a", 0)


@pytest.mark.parametrize("trouble", [down("a"), ModelDenied("a", "401")])
async def test_the_next_one_helps(trouble: TriageError) -> None:
    """Who is down or refuses us is followed by the next in the row."""
    turn = await ask(FallbackModel([Puppet("a", trouble), Puppet("b"), Puppet("c")]))

    assert turn.model == "b"


async def test_name_tells_the_chain() -> None:
    """The chain is called by all its models."""
    assert FallbackModel([Puppet("a"), Puppet("b")]).name == "a or b"


def test_an_empty_chain_is_a_mistake() -> None:
    """A chain of nothing fails when it is made, not when a mail comes."""
    with pytest.raises(ValueError, match="at least one"):
        FallbackModel([])


async def test_overflow_goes_up_at_once() -> None:
    """A prompt that is too long is shortened, not sent elsewhere."""
    second = Puppet("b")
    error = await trouble_of(FallbackModel([Puppet("a", ContextTooLong("a")), second]))

    assert (type(error), second.asked) == (ContextTooLong, 0)


async def test_down_counts_more_than_denied() -> None:
    """If any of them may come back the mail waits, whoever was asked first."""
    error = await trouble_of(
        FallbackModel([Puppet("a", ModelDenied("a", "401")), Puppet("b", down("b")), Puppet("c", down("c"))])
    )

    assert (type(error), getattr(error, "model", "")) == (ModelDown, "b")


async def test_all_denied() -> None:
    """If all refuse us a person looks, at the first."""
    error = await trouble_of(
        FallbackModel([Puppet("a", ModelDenied("a", "401")), Puppet("b", ModelDenied("b", "403"))])
    )

    assert (type(error), getattr(error, "model", "")) == (ModelDenied, "a")


async def test_a_dead_model_rests() -> None:
    """After three failures in a row it is passed by for a minute, then tried again."""
    watch, first, second = Watch(), Puppet("a", down("a")), Puppet("b")
    chain = FallbackModel([first, second], now=watch)
    for _ in range(FAILURES + 5):
        await ask(chain)
    while_resting = first.asked
    watch.seconds = REST - 1
    await ask(chain)
    before_the_end = first.asked
    watch.seconds = REST
    await ask(chain)

    assert (while_resting, before_the_end, first.asked) == (FAILURES, FAILURES, FAILURES + 1)


async def test_one_failure_after_the_rest_is_enough() -> None:
    """A model that is still dead rests again after a single try."""
    watch, first = Watch(), Puppet("a", down("a"))
    chain = FallbackModel([first, Puppet("b")], now=watch)
    for _ in range(FAILURES):
        await ask(chain)
    watch.seconds = REST
    for _ in range(5):
        await ask(chain)

    assert first.asked == FAILURES + 1


async def test_one_answer_after_the_rest_is_enough() -> None:
    """A model that is back is the first again."""
    watch, first = Watch(), Puppet("a", down("a"))
    chain = FallbackModel([first, Puppet("b")], now=watch)
    for _ in range(FAILURES):
        await ask(chain)
    watch.seconds = REST
    first.trouble = None
    models = [(await ask(chain)).model for _ in range(3)]

    assert models == ["a", "a", "a"]


async def test_after_the_rest_one_mail_tries_for_all() -> None:
    """Mails in parallel do not all wait for the timeout of a model that is perhaps still dead."""

    class Slow(Puppet):
        async def complete(self, messages: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
            await asyncio.sleep(0.01)
            return await super().complete(messages, tools, max_tokens)

    watch, first = Watch(), Slow("a", down("a"))
    chain = FallbackModel([first, Puppet("b")], now=watch)
    for _ in range(FAILURES):
        await ask(chain)
    watch.seconds = REST
    await asyncio.gather(*[ask(chain) for _ in range(20)])

    assert first.asked == FAILURES + 1


async def test_failures_must_be_in_a_row() -> None:
    """An answer in between wipes the slate."""
    first = Puppet("a")
    chain = FallbackModel([first, Puppet("b")], now=Watch())
    for trouble in (down("a"), down("a"), None, down("a"), down("a"), ContextTooLong("a"), down("a"), down("a"), None):
        first.trouble = trouble
        try:
            turn = await ask(chain)
        except ContextTooLong:
            continue

    assert (turn.model, first.asked) == ("a", 9)


async def test_resting_models_say_when_to_come_back() -> None:
    """While all rest nobody is asked, and the queue learns how long that lasts."""
    watch, only = Watch(), Puppet("a", down("a", retry_after=5.0))
    chain = FallbackModel([only], now=watch)
    for _ in range(FAILURES):
        await trouble_of(chain)
    watch.seconds = 20.0
    error = await trouble_of(chain)

    assert (getattr(error, "retry_after", None), only.asked) == (REST - 20.0, FAILURES)


async def test_a_longer_wait_of_the_provider_stands() -> None:
    """A Retry-After beyond the rest is not shortened by it."""
    chain = FallbackModel([Puppet("a", down("a", retry_after=900.0))], now=Watch())
    for _ in range(FAILURES):
        await trouble_of(chain)

    assert getattr(await trouble_of(chain), "retry_after", None) == 900.0


async def test_resting_because_denied_stays_denied() -> None:
    """A wrong key does not turn into a server that is down."""
    chain = FallbackModel([Puppet("a", ModelDenied("a", "401"))], now=Watch())
    for _ in range(FAILURES):
        await trouble_of(chain)

    assert isinstance(await trouble_of(chain), ModelDenied)


async def test_closing_closes_those_that_hold_something() -> None:
    """A chain of models with and without connections is closed as a whole."""

    class Connected(Puppet):
        closed = False

        async def close(self) -> None:
            self.closed = True

    first, last = Connected("a"), Connected("c")
    await FallbackModel([first, Puppet("b"), last]).close()

    assert (first.closed, last.closed) == (True, True)


async def test_kept_trouble_holds_no_mail() -> None:
    """What is remembered of a failure has no traceback: its frames would keep the mail in memory."""
    chain = FallbackModel([Puppet("a", down("a"))], now=Watch())
    await trouble_of(chain)

    kept = chain._links[0].trouble
    assert kept is not None
    assert kept.__traceback__ is None
