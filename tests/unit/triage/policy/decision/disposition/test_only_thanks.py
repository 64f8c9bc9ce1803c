"""Answers that only thank or say that it works are told from those with something to do in them."""

from dataclasses import replace

import pytest

from triage.domain.mail import Attachment, Message
from triage.domain.untrusted import Untrusted
from triage.policy.decision.disposition.only_thanks import only_thanks


def answer(text: str, quoted: str = "Hello Ines, the export has been repaired.") -> Message:
    """An answer to a mail with this text."""
    return Message(
        subject=Untrusted("Re: Export"),
        text=Untrusted(f"{text}\n\n> {quoted}" if quoted else text),
        reply=Untrusted(text),
        quoted=Untrusted(quoted),
        in_reply_to=("<1@us.example>",),
    )


@pytest.mark.parametrize(
    "text",
    [
        "Hi Rob,\n\nthat did it, it works again. You are a star, please pass it on to the others!\n\nM.",
        "Works now, thank you very much for the quick help!",
        "Funktioniert wieder, herzlichen Dank an alle!",
        "Merci beaucoup pour votre aide, tout fonctionne à nouveau.",
        "Moc děkuji za rychlé vyřízení, kolegům prosím také vyřiďte dík.",
        "Grazie mille, adesso funziona!",
        "Thanks a lot!",
    ],
)
def test_thanks(text: str) -> None:
    """A few sentences that thank, praise or say that it works are recognised, in several languages."""
    assert only_thanks(answer(text))


@pytest.mark.parametrize(
    "text",
    [
        "Thanks! Could you do the same for our second site?",
        "Thank you, works now. But the invoices of October are still wrong.",
        "Thanks a lot. Please also unlock Bernd.",
        "Thank you for the quick help. The second printer still prints nothing at all.",
        "Thanks for your help. The list of customers has to show all branches of a customer by tomorrow.",
        "Merci de débloquer aussi Bernd.",
        "The list shows all customers of the branch in Ghent.",
        "Thanks! " + "This is a very long story about what we did all week in the warehouse. " * 6,
        "",
    ],
)
def test_more_than_thanks(text: str) -> None:
    """A question, a request, a fault, a wish, many words or no thanks: somebody has to read that."""
    assert not only_thanks(answer(text))


def test_what_makes_thanks_an_answer() -> None:
    """`Fine, thanks` to a question means yes, a first mail answers nothing, and a file is there to be opened; that it works answers a question, too."""
    fine, works = "Fine, thanks!", "It works again, thanks!"
    assert not only_thanks(answer(fine, "Shall we delete the old branch?"))
    assert not only_thanks(answer(fine, ""))
    assert only_thanks(answer(works, "Could you try once more, please?"))
    assert only_thanks(answer(works, ""))
    assert not only_thanks(replace(answer(works), in_reply_to=()))
    file = Attachment(name=Untrusted("log.txt"), content_type="text/plain", size=10, inline=False, sha256="0")
    assert not only_thanks(replace(answer(works), attachments=(file,)))
