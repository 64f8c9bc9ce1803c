"""Forms of websites: who wrote, about what, the message, the other fields."""

import pytest

from triage.domain.mail import RichLine
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.text.form import WebsiteForm, form_of, requester_of, title_of


def lines(text: str) -> list[RichLine]:
    """The lines of a text."""
    return [RichLine(Untrusted(line)) for line in text.splitlines()]


def read(text: str) -> WebsiteForm:
    """The form that a text is."""
    form = form_of(lines(text))
    assert form is not None
    return form


@pytest.mark.parametrize(
    ("text", "who", "topic", "message"),
    [
        (
            "Name: Ada Byron\nEmail: Ada@Yard.example\nMessage: The crane hums.",
            "Ada Byron <ada@yard.example>",
            "",
            "The crane hums.",
        ),
        (
            "From: Ada Byron <ada@yard.example>\nSubject: Crane 7\n\nMessage Body:\nIt hums.\n\nAll day.",
            "Ada Byron <ada@yard.example>",
            "Crane 7",
            "\nIt hums.\n\nAll day.",
        ),
        (
            "New message:\n\nVorname:\nAda\nNachname:\nByron\nThema:\nKran\nNachricht:\nEr brummt.",
            "Ada Byron",
            "Kran",
            "\nEr brummt.",
        ),
        (
            "*Nom* : Ada\n*Adresse e-mail* : ada@yard.example\n*Votre message* : Elle ronfle.",
            "Ada <ada@yard.example>",
            "",
            "Elle ronfle.",
        ),
        ("Nombre | Ada\nCorreo | ada@yard.example\nMensaje | Zumba.", "Ada <ada@yard.example>", "", "Zumba."),
        ("E-mail: ada@yard.example\nPhone: 12\nYour message: Hums.", "ada@yard.example", "", "Hums."),
    ],
)
def test_a_form_says_who_wrote_what(text: str, who: str, topic: str, message: str) -> None:
    """Names, address, topic and message come out by their labels, in a line or below it, in any language of the lists."""
    form = read(text)

    assert (form.who, form.topic) == (who, topic)
    assert "\n".join(line.text for line in form.message) == message


def test_no_field_is_lost() -> None:
    """What is neither name, address, topic nor message stays as it came, also below the message."""
    form = read("Name: Ada\nPhone: 12\nPort:\nBoat:\nSwan\nMessage: Hums.\nAgain.\n\nIP address: 192.0.2.7\n")

    assert [line.text for line in form.others] == ["Phone: 12", "Port:", "Boat:", "Swan", "IP address: 192.0.2.7"]
    assert [line.text for line in form.message] == ["Hums.", "Again."]


@pytest.mark.parametrize(
    "text",
    [
        "The crane hums.",
        "Name: Ada\nMessage: one field is no form",
        "Version: 7\nHost: crane-7\nMessage: an alert",
        "Dear all,\n\nwe saw this.\n\nAnd that.\n\nName: Ada\nEmail: ada@yard.example\nMessage: a story",
        "Name: Ada\nEmail: ada@yard.example\nand then I wrote this\nMessage: hum",
        "Name: Ada\nEmail: ada@yard.example",
    ],
)
def test_other_mails_are_no_forms(text: str) -> None:
    """Without fields that say who wrote, with text between them, or without a message, a mail is no form."""
    assert form_of(lines(text)) is None


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Number: 7\nShort description: The crane is stuck\nDescription: Since noon.\nGroup: Yard",
            "The crane is stuck",
        ),
        ("Name: crane\nDescription: The crane has no power\nState: ALARM", "The crane has no power"),
        (
            "- alertname = Stuck\n- summary = Crane is stuck\n- description = Crane 7 is stuck since 9",
            "Crane 7 is stuck since 9",
        ),
        ("Number: 7\nShort description: Stuck\nGroup: Yard", ""),
        (f"Number: 7\nGroup: Yard\nDescription: {'The crane is stuck. ' * 9}", ""),
        ("Short description: The crane is stuck\n\nNumber: 7", ""),
        ("The crane is stuck.", ""),
    ],
)
def test_the_title_of_a_template(text: str, title: str) -> None:
    """One line about the matter among other fields; of an alert the one that tells more."""
    assert title_of(lines(text)) == title


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Affected user: Bo Berg\nPriority: 3\nLocation: Yard", "Bo Berg"),
        ("Affected user: bo@berth.example\nPriority: 3\nLocation: Yard", "bo@berth.example"),
        ("Affected user: Ada Byron\nPriority: 3\nLocation: Yard", ""),
        ("Affected user: all of them\nPriority: 3\nLocation: Yard", ""),
        ("Affected user: Bo Berg\n\nIt is stuck.", ""),
    ],
)
def test_the_requester_of_a_template(text: str, who: str) -> None:
    """A person who is not the sender, among other fields."""
    assert requester_of(lines(text), "Ada Byron <ada@yard.example>") == who
