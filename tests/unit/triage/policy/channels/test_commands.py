"""What a person's comment says to us, and what says nothing."""

import pytest

from triage.domain.channels.ticket_notes import Command, Verb
from triage.policy.channels.commands import command_in


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("/triage yes", Command(verb=Verb.YES)),
        ("  /Triage YES\n\nLooks right.", Command(verb=Verb.YES)),
        ("/triage yes 12", Command(verb=Verb.YES, number=12)),
        ("/triage no #7 please", Command(verb=Verb.NO, number=7)),
        ("/triage edit 5 parcels are lost", Command(verb=Verb.EDIT, text="5 parcels are lost")),
        ("/triage edit #5 Two\nlines", Command(verb=Verb.EDIT, number=5, text="Two\nlines")),
        ("/triage undo 3", Command(verb=Verb.UNDO, number=3)),
        ("/triage not harb-27", Command(verb=Verb.NOT, text="HARB-27")),
        ("/triage new", Command(verb=Verb.NEW)),
        ("/triage stop now", Command(verb=Verb.STOP)),
        ("/triage", Command(verb=Verb.HELP)),
        ("/triage maybe", Command(verb=Verb.HELP)),
        ("/triage not that", Command(verb=Verb.HELP)),
        ("/triage edit", Command(verb=Verb.HELP)),
    ],
)
def test_commands(words: str, command: Command) -> None:
    """A command is the beginning of the words; number and text follow it."""
    assert command_in(words) == command


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Please /triage yes",
        "yes",
        "> /triage yes",
        "Ada wrote:\n/triage yes",
        "/triageyes",
        "/triage-bot yes",
        "`/triage yes` does it",
        "triage yes",
    ],
)
def test_no_commands(words: str) -> None:
    """Whatever stands further down, in a quote or in a sentence is no command."""
    assert command_in(words) is None
