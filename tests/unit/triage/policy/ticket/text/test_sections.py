"""Sentences and blocks go under the headings of their ticket's kind."""

import pytest

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.blocks import blocks_of
from triage.policy.ticket.text.sections import TicketKind, is_courtesy, pieces_of, since_in, versions_in


def told(text: str, kind: TicketKind) -> dict[str, str]:
    """Heading → text."""
    blocks = blocks_of([RichLine(Untrusted(line)) for line in text.split("\n")])
    found: dict[str, str] = {}
    for piece in pieces_of(blocks, kind):
        found[piece.section] = f"{found.get(piece.section, '')} {piece.block.text}".strip()
    return found


@pytest.mark.parametrize(
    ("kind", "text", "sections"),
    [
        (
            TicketKind.BUG,
            "The crane stops. It should turn. 14 users wait. Thanks for any help. Why?",
            {"happens": "The crane stops. It should turn. 14 users wait. Why?"},
        ),
        (TicketKind.INCIDENT, "The gate is down. Nobody can enter.", {"down": "The gate is down. Nobody can enter."}),
        (
            TicketKind.WISH,
            "We write by hand, because it lacks. I would like a list.",
            {"wanted": "We write by hand, because it lacks. I would like a list."},
        ),
        (TicketKind.QUESTION, "We moved. Where is the form?", {"question": "We moved. Where is the form?"}),
        (TicketKind.QUESTION, "We move on Friday.", {"details": "We move on Friday."}),
        (TicketKind.TASK, "Problem: the list is old.", {"details": "the list is old."}),
        (TicketKind.BUG, "1. a\n2. b\n\n[image: a.png]\n\n2026-11-24 10:00:01 x", {"steps": "1. a\n2. b", "happens": "[image: a.png] 2026-11-24 10:00:01 x"}),
        (TicketKind.BUG, "1. a stops\n2. could b turn?", {"happens": "1. a stops\n2. could b turn?"}),
        (TicketKind.TASK, "1. a\n2. b", {"details": "1. a\n2. b"}),
    ],
)  # fmt: skip
def test_each_sentence_has_one_heading(kind: TicketKind, text: str, sections: dict[str, str]) -> None:
    """Sentences stay in the order of the mail, under the heading of its kind; steps of a fault part."""
    assert told(text, kind) == sections


def test_long_code_stands_below_the_text() -> None:
    """A few lines stay between the sentences that tell of them."""
    trace = "\n".join(f"    at app.gate.Lock.open(Lock.java:{line})" for line in range(11))

    assert told(f"It says:\n\n{trace}\n\nSince noon.", TicketKind.BUG)["happens"] == "It says: Since noon."
    assert told(f"It says:\n\n{trace[:90]}\n\nSince noon.", TicketKind.BUG).keys() == {"happens"}


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("With Connect 3.8.0 on Windows 11 and Chrome 142.", ("Connect 3.8.0", "Windows 11", "Chrome 142")),
        ("In 4.12.2 it works, version 5.1 not", ("version 5.1",)),
        ("At 10.30 on 3.4. nothing", ()),
        ("They charged EUR 318.20 twice.", ()),
        ("The hole is rated CVSS 9.8 by its finder.", ()),
    ],
)
def test_versions(text: str, versions: tuple[str, ...]) -> None:
    """Products with a version or a number that belongs to their name; bare numbers are none."""
    assert versions_in(text) == versions


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("Every label since the update of last night is cut.", "since the update of last night"),
        ("It began on Tuesday.", "began on Tuesday"),
        ("Seit heute früh geht nichts.", "Seit heute früh"),
        ("It fails since 2026-11-06T13:05:10Z.", "since 2026-11-06T13:05:10Z"),
        ('"Bloccata da utente" da ieri.', "da ieri"),
        ("Temos 1200 livros da doação para etiquetar em dezembro.", ""),
        ("Since nobody knows, we ask.", ""),
        ("Page us if the nightly run has not started by 01:15.", ""),
        ("We need two rooms from 11 to 14 December.", ""),
    ],
)
def test_since_when(text: str, since: str) -> None:
    """The words up to the last time; a reason is no time."""
    assert since_in(text) == since


def test_versions_of_things_in_small_letters() -> None:
    """Known words and lists of names with versions are read, a lone figure behind a word is none."""
    assert versions_in("lock-gateway 1.9.4, rustc 1.83, and app 3.12.0.") == (
        "lock-gateway 1.9.4",
        "rustc 1.83",
        "app 3.12.0",
    )
    assert versions_in("the price is 12.50, then") == ()


def test_courtesies_are_short() -> None:
    """A sentence that thanks says nothing; one that goes on, or has a number, may."""
    assert is_courtesy("Thanks in advance for your help!")
    assert is_courtesy("Hope you had a good weekend.")
    assert is_courtesy("Please check the attached files.")
    assert is_courtesy("Is that really too much to ask?")
    assert not is_courtesy("How many times do I have to tell you that the export crashes?")
    assert not is_courtesy("Please check whether the crane of Petra is locked.")
    assert not is_courtesy("Sorry, the right one is http://yard.example/b")
    assert not is_courtesy("I hope for a cure, as our customers wait.")
    assert not is_courtesy("Thanks to the update of 5.1 it fails.")
    assert not is_courtesy("Please have a look at the crane in the hall behind the gate, where it stands still.")
