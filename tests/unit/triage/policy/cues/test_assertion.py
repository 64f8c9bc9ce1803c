"""Whether words are asserted: each way of saying a word without meaning it, in the languages that are read."""

import pytest

from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import language_of
from triage.policy.text.sentences import read


def reading(text: str) -> Reading:
    """A text with its language."""
    passage = read(text)
    return Reading(passage, language_of(passage.words))


def judgements(text: str) -> list[str]:
    """The judgements that the text asserts."""
    told = reading(text)
    lists = told.lists("priority.highest", "priority.high", "priority.exceptions", light=True)
    return [told.shown(found) for found in told.asserted(lists, judgement=True)]


def outages(text: str) -> list[str]:
    """The outages that the text asserts."""
    told = reading(text)
    return [told.shown(found) for found in told.asserted(told.lists("impact.outage", light=True))]


@pytest.mark.parametrize(
    "text",
    [
        'He wrote "urgent" on it',
        "Er hat „dringend“ daraufgeschrieben",
        "Il a écrit « urgent » dessus",
        "Escribió «urgente» encima",
        "Napisał „pilne” na kartonie",
        "箱に「至急」とありました",
        "the word urgent is misspelt",
        "Our client says this is critical",
        "Mein Chef nennt das kritisch",
        "Mon chef dit que c'est critique",
        "Mi jefe dice que es crítico",
        "It would be critical in May",
        "Kritisch wäre es erst im Mai",
        "Ce serait critique en mai",
        "It was urgent on Tuesday",
        "Es war dringend",
        "Era urgente",
        "This used to be critical",
        "Last year this was a critical system",
        "There is no need to answer asap",
        "It is far from critical",
        "Nothing here is urgent",
        "Das ist nicht dringend",
        "No es nada urgente",
        "Is this urgent?",
        "Wer entscheidet, was dringend ist?",
        "If you think it urgent, call",
    ],
)
def test_a_judgement_that_nobody_makes_now(text: str) -> None:
    """Quoted, mentioned, somebody else's, supposed, past, denied or asked: it sets no priority."""
    assert judgements(text) == []


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("urgent", 'The "export" is urgent'),
        ("urgent", "As I said, it is urgent"),
        ("urgent", "My boss says it can wait, but it is urgent"),
        ("urgently", "Could you please look at it urgently?"),
        ("critical", "It would be great to get the critical report"),
        ("kritisch", "Das ist jetzt kritisch"),
        ("urgent", "Our users' mails are urgent, the clients' too"),
    ],
)
def test_a_judgement_of_the_sender(words: str, text: str) -> None:
    """What the sender says himself counts, also when he quotes, asks politely or contradicts somebody."""
    assert judgements(text) == [words]


@pytest.mark.parametrize(
    ("stands", "text"),
    [
        (True, "Our monitoring says that the server is down"),
        (True, "Since last week the server is down"),
        (True, "Der Server wurde getauscht und ist ausgefallen"),
        (False, "Last year the server was down"),
        (False, "If the server is down, call us"),
        (False, 'The page shows "server down" in the sample'),
        (False, "Der Server würde ausgefallen sein"),
    ],
)
def test_a_fact_stands_whoever_says_it(*, stands: bool, text: str) -> None:
    """A fact may be reported by somebody else; supposed, quoted or long past it is none."""
    assert bool(outages(text)) == stands


def test_a_quotation_has_an_end() -> None:
    """A mark that closes only a page later, or never, quotes nothing."""
    long = " ".join(["word"] * 50)

    assert judgements(f'The screen is 24" wide. It is urgent. {long} 30" now') == ["urgent"]
    assert judgements(f'He said "no {long}. It is critical" and left') == ["critical"]
    assert judgements('It costs "nothing\n\nIt is urgent" they') == ["urgent"]
