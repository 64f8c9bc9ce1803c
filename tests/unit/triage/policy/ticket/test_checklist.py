"""The checklist of a ticket with several matters is read as it was written."""

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.matters import Matter
from triage.policy.ticket.checklist import checklist, listed_matters, mail_of_part

MATTERS = (
    Matter("The printer (hall 4) *jams*.", "The printer (hall 4) *jams*. Since Monday."),
    Matter("Add a dark mode?", "Add a dark mode?"),
)


def test_what_was_written_is_read_again() -> None:
    """Each line with the sender's own words, also where other lines stand around them; a single matter has no list."""
    description = f"Intro\n\n{checklist(MATTERS)}### Wanted\n\n- a list of something else"

    assert listed_matters(description, MATTERS) == MATTERS
    assert listed_matters(description, MATTERS[:1]) == (MATTERS[0], Matter("Add a dark mode?", "Add a dark mode?"))
    assert (checklist(()), listed_matters("text", MATTERS)) == ("", ())


def test_a_model_words_its_lines_itself() -> None:
    """They have the words of the matters in their places where there are as many, else their own."""
    described = "- [ ] Printer jam\n- [ ] Dark mode\n"

    assert [one.text for one in listed_matters(described, MATTERS)] == [one.text for one in MATTERS]
    assert [one.text for one in listed_matters(f"{described}- [ ] Thanks", MATTERS)] == [
        "Printer jam",
        "Dark mode",
        "Thanks",
    ]


def test_a_part_is_a_mail_of_its_own() -> None:
    """It has the part's title and words, and nothing of what stands around them."""
    whole = Message(subject=Untrusted("Two things"), text=Untrusted("Two things: …"), reply=Untrusted("Two things: …"))
    part = mail_of_part(whole, MATTERS[1].title, MATTERS[1].text)

    assert (part.subject, part.text, part.reply) == ("Add a dark mode?", "Add a dark mode?", "Add a dark mode?")
    assert (part.rich, part.quoted) == ((), "")
