"""What the report of a bug lacks."""

import pytest

from triage.domain.mail import Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.letters.reply.missing_details import missing_in
from triage.policy.text.cues import cues_of

SHOT = Attachment(name=Untrusted("shot.png"), content_type="image/png", size=90_000, inline=False, sha256="0" * 64)
STEPS = "The export crashes.\n\nSteps:\n1. Open the planner\n2. Press Export\n\nPlanner 4.2.1"
TRACE = (
    "The export crashes with\n\n"
    "java.lang.IllegalStateException: cannot export the pallet list because the buffer is closed\n"
    "    at com.example.Export.run(Export.java:12)\n"
)


def missing(text: str, **more: object) -> tuple[str, ...]:
    """What a report of this text lacks."""
    mail = Message(text=Untrusted(text), reply=Untrusted(text), **more)  # type: ignore[arg-type]
    return missing_in(mail, cues_of(mail))


def test_a_bare_report_lacks_everything() -> None:
    """`It crashes` says neither how, nor with which version, nor what is shown."""
    assert missing("The export crashes.") == ("steps", "version", "error")


def test_what_is_there_is_not_asked_for() -> None:
    """A version, a screenshot, an error text in the report are not asked for again."""
    assert missing("The export crashes in Chrome 131.", attachments=(SHOT,)) == ("steps",)
    assert missing(TRACE) == ("steps", "version")


@pytest.mark.parametrize(
    "text",
    [
        STEPS,
        "Could you add a dark mode?",
        "Hello, how are you?",
        "Nothing works, the export crashes for everybody, production is down!",
        "The export crashes. " + "First I open the planner and then I choose the list of pallets. " * 12,
    ],
    ids=["steps", "wish", "no bug", "outage", "long"],
)
def test_some_senders_are_not_asked(text: str) -> None:
    """Nobody is asked who told how it happens, reports no bug, or stands before an outage."""
    assert missing(text) == ()
