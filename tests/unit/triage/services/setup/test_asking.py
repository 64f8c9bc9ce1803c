"""Questions: defaults, choices by number or word, secrets, and the ways out of each."""

from collections.abc import Awaitable, Callable

import pytest

from tests.unit.triage.services.setup.asker import asker, said
from triage.services.setup.asking import Asker, Back, Quit, Skip


@pytest.mark.parametrize(("word", "turn"), [("back", Back), (" Skip ", Skip), ("QUIT", Quit)])
@pytest.mark.parametrize(
    "question",
    [
        lambda ask: ask.text("Where?"),
        lambda ask: ask.secret("Token"),
        lambda ask: ask.yes("Sure?", default=True),
        lambda ask: ask.choice("Which?", [("a", "")], "a", free=True),
    ],
)
async def test_the_ways_out_are_answers_everywhere(
    word: str, turn: type[Exception], question: Callable[[Asker], Awaitable[object]]
) -> None:
    """back, skip and quit are heard at every kind of question, secrets included; Ctrl-D is quit."""
    with pytest.raises(turn):
        await question(asker(word))
    with pytest.raises(Quit):
        await question(asker())


async def test_enter_takes_the_default() -> None:
    """Without a default an empty line is no answer, and the question says so before it is asked again."""
    assert await asker("").text("Where?", "here") == "here"
    empty = asker("", " there ")
    assert await empty.text("Where?") == "there"
    assert "type one, or `skip`" in said(empty)
    assert await asker("").secret("Token", "kept") == "kept"


async def test_a_secret_without_control_characters() -> None:
    """What a paste brought along is refused, blanks around it do not count."""
    assert await asker("a\x1b[2Jb", "  good ").secret("Token") == "good"


async def test_a_choice_by_number_or_word() -> None:
    """Number, word in any case, default; another word only where any is allowed."""
    options = [("openai", "OpenAI"), ("none", "no model")]

    assert await asker("2").choice("Which?", options, "openai") == "none"
    assert await asker("OpenAI").choice("Which?", options, "none") == "openai"
    assert await asker("3", "0", "what", "").choice("Which?", options, "none") == "none"
    assert await asker("other").choice("Which?", options, "none", free=True) == "other"


async def test_yes_and_no() -> None:
    """Anything else is asked again."""
    assert await asker("perhaps", "Y").yes("Sure?", default=False)
    assert not await asker("").yes("Sure?", default=False)


def test_a_narrow_terminal() -> None:
    """Remarks are wrapped between words at 40 columns."""
    ask = asker(width=40)
    ask.say("Use an account of the bot's own: by it Triage knows its tickets again.")

    assert max(len(line) for line in said(ask).splitlines()) <= 40
    assert "account of the bot's" in said(ask)
