"""What the writer of a mail wants of us, in ten languages."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ROOT
from triage.domain.findings import Disposition, DispositionFinding, Identity, Intent, IntentFinding, Joined
from triage.domain.mail import Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.letters.reply.intent import intent_of
from triage.policy.text.cues import cues_of

FOLDER = ROOT / "tests" / "corpus" / "intents"
FLOORS = {"mails": 0.95, "heldout": 0.9}


def mails(name: str) -> Iterator[dict[str, Any]]:
    """The labelled mails of one file."""
    yield from map(json.loads, (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines())


def judged(
    text: str,
    subject: str = "",
    *,
    found: DispositionFinding | None = None,
    identity: Identity | None = None,
    **more: Any,
) -> IntentFinding:
    """The intent of a mail of this text."""
    mail = Message(subject=Untrusted(subject), text=Untrusted(text), reply=Untrusted(text), **more)
    return intent_of(mail, cues_of(mail), found, identity)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", FLOORS)
def test_most_mails_are_judged_as_people_judge_them(name: str) -> None:
    """Of the labelled mails at least as many as the floor get their label; complaints are never taken for anything milder."""
    answers = [(row["expect"], judged(row["text"], row["subject"]).intent.value) for row in mails(name)]

    assert sum(want == got for want, got in answers) / len(answers) >= FLOORS[name], answers
    assert {got for want, got in answers if want == "complaint"} == {"complaint"}


@pytest.mark.no_cover
def test_a_high_confidence_is_seldom_wrong() -> None:
    """Of the held-out mails with a confidence of 80 % or more, at least nine in ten have their label."""
    found = [(row["expect"], judged(row["text"], row["subject"])) for row in mails("heldout")]
    sure = [want == one.intent.value for want, one in found if one.confidence >= 0.8]

    assert len(sure) >= 20
    assert sum(sure) / len(sure) >= 0.9


@pytest.mark.parametrize(
    ("disposition", "intent"),
    [(Disposition.SPAM, Intent.SPAM), (Disposition.NEWSLETTER, Intent.OTHER), (Disposition.AUTOMATIC, Intent.OTHER)],
)
def test_what_is_set_aside_has_no_intent_that_is_answered(disposition: Disposition, intent: Intent) -> None:
    """A mail that the dispositions set aside is spam or other, whatever its words ask for."""
    found = judged(
        "Could we meet on Tuesday?",
        found=DispositionFinding(disposition=disposition, confidence=0.97, evidence=("X-Spam-Flag: YES",)),
    )

    assert found == IntentFinding(intent=intent, confidence=0.97, evidence=("X-Spam-Flag: YES",))


def test_an_invitation_is_a_meeting_request() -> None:
    """A mail with a calendar file asks for a meeting, even without a word."""
    invitation = Attachment(
        name=Untrusted("invite.ics"), content_type="text/calendar", size=900, inline=False, sha256="0" * 64
    )

    found = judged("See attached.", attachments=(invitation,))

    assert found.intent is Intent.MEETING_REQUEST
    assert found.evidence == ("an invitation is attached",)


def test_a_question_is_an_inquiry_unless_more_is_asked() -> None:
    """A question alone is one, as is a fault in a room for meetings; beside the wish for a meeting a question counts for little."""
    assert judged("Which dock takes the Friday delivery?").evidence == ("asks: Which dock takes the Friday delivery?",)
    assert judged("The meeting room has no light since Monday.").intent is Intent.INQUIRY
    assert judged("Could we meet on Tuesday? Which dock is it?").intent is Intent.MEETING_REQUEST


def test_an_answer_in_its_thread_leans_to_a_follow_up() -> None:
    """The same words are a follow-up where the mail answers its ticket's thread, and the subject there is not the writer's own."""
    alone = judged("It was at five to two, on the second dock.")
    answer = judged(
        "It was at five to two, on the second dock.",
        "Re: Complaint about the meeting",
        identity=Identity(joined=Joined.REPLY_ID),
        in_reply_to=("a@example.com",),
    )

    assert alone.intent is not Intent.FOLLOW_UP
    assert answer.intent is Intent.FOLLOW_UP


def test_evidence_names_the_words() -> None:
    """A finding quotes the words that gave it, each once, at most five."""
    found = judged(
        "This is unacceptable. UNACCEPTABLE! I am disappointed, furious, and I want a refund, and it is a joke."
    )

    assert found.intent is Intent.COMPLAINT
    assert found.evidence[0] == "unacceptable"
    assert len(found.evidence) == len(set(found.evidence)) <= 5


def test_something_that_works_again_wants_no_answer() -> None:
    """A mail that says that all is well again tells something and asks nothing."""
    assert judged("The export works again, thanks a lot for your help.").intent is Intent.OTHER
