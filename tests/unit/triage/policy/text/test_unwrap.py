"""What is taken out of a helpdesk's wrapping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.config.agents.profiles import PREPROCESSORS
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import READERS, Unwrapped, unwrap

FORWARDER = Address(address="support@pharmacy.example", name=Untrusted("Pharmacy"))


def mail(text: str, reply: str = "") -> Message:
    """A mail that the helpdesk forwarded."""
    return Message(subject=Untrusted("Dotaz"), sender=FORWARDER, text=Untrusted(text), reply=Untrusted(reply))


def crisp(name: str, address: str, text: str) -> Unwrapped:
    """What must come out."""
    return Unwrapped(
        preprocessor="crisp",
        name=Untrusted(name),
        address=address,
        subject=Untrusted("Dotaz"),
        text=Untrusted(text),
    )


def test_default_leaves_the_mail_alone() -> None:
    """Sender, subject and what was written now."""
    expected = Unwrapped(
        preprocessor="default",
        name=Untrusted("Pharmacy"),
        address="support@pharmacy.example",
        subject=Untrusted("Dotaz"),
        text=Untrusted("now"),
    )

    assert unwrap(mail("From: Jan\n---\nnow\n> then", reply="now")) == expected


@pytest.mark.parametrize(
    ("wrapped", "expected"),
    [
        (
            "From: Jan Novak\nEmail: Jan@example.com\n---\nHello, I need help.\n\nJan",
            crisp("Jan Novak", "jan@example.com", "Hello, I need help.\n\nJan"),
        ),
        ("Od: Jana Nováková\n---\nPotřebuji lék.", crisp("Jana Nováková", "", "Potřebuji lék.")),
        (
            "You have a new message.\n\n**Name:** Jan Novak\n**E-mail:** jan@example.com\n**Message:** Hello\nagain",
            crisp("Jan Novak", "jan@example.com", "Hello\nagain"),
        ),
        (
            "Jméno: Jana Nováková\nE-mailová adresa: jana@example.com\nPředmět: Lék\nZpráva:\nDobrý den,\nmáte lék?",
            crisp("Jana Nováková", "jana@example.com", "Dobrý den,\nmáte lék?"),
        ),
        (
            'From: "Jan Novak" <jan@example.com>\n\nHello\n\n---\nReply to this email to answer.\nPowered by Crisp',
            crisp("Jan Novak", "jan@example.com", "Hello"),
        ),
        (
            "Od: <jana@example.com>\n\nDobrý den\n\nOdpovězte na tento e-mail a zpráva dojde.",
            crisp("jana@example.com", "jana@example.com", "Dobrý den"),
        ),
    ],
)
def test_crisp_in_english_and_czech(wrapped: str, expected: Unwrapped) -> None:
    """Name, address and own words come out, header and footer stay behind."""
    assert unwrap(mail(wrapped), "crisp") == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello, I need help.",
        "Message: Hello",
        "From: Jan Novak\nHello without an address",
        "Email: jan@example.com\n---\nHello without a name",
        "From: Jan Novak\nEmail: jan@example.com\n---\n\n",
        "From: Jan Novak\nEmail: jan@example.com",
        "x\n" * 25 + "From: Jan Novak\nEmail: jan@example.com\n---\nHello",
    ],
)
def test_what_is_not_crisp_is_left_alone(text: str) -> None:
    """Where the header is missing, incomplete, far down or followed by nothing, the mail stays as it is."""
    assert unwrap(mail(text), "crisp") == unwrap(mail(text))
    assert unwrap(mail(text), "crisp").preprocessor == "default"


def test_a_mail_without_a_sender() -> None:
    """Nobody is nobody."""
    unwrapped = unwrap(Message(text=Untrusted("x")))

    assert (unwrapped.name, unwrapped.address, unwrapped.text) == ("", "", "x")


def test_an_unknown_preprocessor_is_an_error() -> None:
    """A typing mistake does not turn into the default."""
    with pytest.raises(KeyError):
        unwrap(mail("x"), "crips")


def test_each_preprocessor_that_triage_yaml_may_name_is_there() -> None:
    """What the configuration accepts can be read, and nothing is read that it does not accept."""
    assert sorted(PREPROCESSORS) == sorted(READERS)


@given(st.text(max_size=300), st.sampled_from(sorted(PREPROCESSORS)))
def test_any_text_is_unwrapped(text: str, preprocessor: str) -> None:
    """Whatever is written, something comes out and the subject is kept."""
    unwrapped = unwrap(mail(text), preprocessor)

    assert unwrapped.subject == "Dotaz"
    assert unwrapped.text.strip() in text or unwrapped.preprocessor == "crisp"
