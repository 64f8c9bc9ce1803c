"""What is taken out of a helpdesk's wrapping."""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from email.header import Header
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.mime.message import message_of
from tests.conftest import ROOT
from triage.config.agents.profiles import PREPROCESSORS
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import READERS, Unwrapped, unwrap

FORWARDS = sorted((ROOT / "tests" / "corpus" / "forwards").glob("*.eml"))
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
    assert unwrapped.text.strip() in text or unwrapped.preprocessor == preprocessor


HEADERS: Mapping[str, tuple[str, str, str, str]] = {
    "en": ("From", "Sent", "To", "Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "fr": ("De", "Envoyé", "À", "Objet"),
    "es": ("De", "Enviado", "Para", "Asunto"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "pt": ("De", "Enviado", "Para", "Assunto"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "ja": ("差出人", "送信日時", "宛先", "件名"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
    "zh": ("发件人", "发送时间", "收件人", "主题"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
}
OUTLOOK = {
    "en": "FW",
    "de": "WG",
    "fr": "TR",
    "es": "RV",
    "it": "I",
    "pt": "ENC",
    "nl": "FW",
    "pl": "PD",
    "cs": "FW",
    "ja": "転送",
    "ru": "FW",
    "zh": "转发",
    "sv": "VB",
}
APPLE = {
    "en": "Begin forwarded message:",
    "de": "Anfang der weitergeleiteten Nachricht:",
    "fr": "Début du message réexpédié :",
    "es": "Inicio del mensaje reenviado:",
    "it": "Inizio messaggio inoltrato:",
    "pt": "Início da mensagem encaminhada:",
    "nl": "Begin doorgestuurd bericht:",
    "pl": "Początek przekazywanej wiadomości:",
    "cs": "Začátek přeposlané zprávy:",
    "ja": "転送されたメッセージ:",
    "ru": "Начало переадресованного сообщения:",
    "zh": "以下是转发的邮件：",  # noqa: RUF001 - as Apple writes it
    "sv": "Vidarebefordrat brev:",
}
THUNDERBIRD = {
    "en": "Forwarded Message",
    "de": "Weitergeleitete Nachricht",
    "fr": "Message transféré",
    "es": "Mensaje reenviado",
    "it": "Messaggio Inoltrato",
    "pt": "Mensagem encaminhada",
    "nl": "Doorgestuurd bericht",
    "pl": "Przekazana wiadomość",
    "cs": "Přeposlaná zpráva",
    "ja": "転送されたメッセージ",
    "ru": "Пересылаемое сообщение",
    "zh": "转发的消息",
    "sv": "Vidarebefordrat meddelande",
}


def forwarded(above: str, labels: Sequence[str]) -> str:
    """A mail with a forward block below a word of the forwarder."""
    told = ("Ada Byron <ada@client.example>", "2026-11-16 09:12", "ben@harbour.example", "Belt 4")
    fields = "\n".join(f"{label}: {value}" for label, value in zip(labels, told, strict=True))
    return f"4711\n\n{above}{fields}\n\nBelt 4 stands still since 06:10.\n"


@pytest.mark.parametrize("language", HEADERS)
@pytest.mark.parametrize("program", ["gmail", "outlook", "apple", "thunderbird"])
def test_forwards_of_the_common_programs(program: str, language: str) -> None:
    """Author, subject and text come out of the forms of each program in each language, the forwarder's word apart."""
    above = {
        "gmail": "---------- Forwarded message ---------\n",
        "outlook": "",
        "apple": f"{APPLE[language]}\n\n",
        "thunderbird": f"-------- {THUNDERBIRD[language]} --------\n",
    }[program]
    prefix = OUTLOOK[language] if program == "outlook" else "Fwd"
    raw = (
        f"From: ben@harbour.example\nSubject: {Header(f'{prefix}: Belt', 'utf-8').encode()}\nMessage-ID: <1@harbour.example>\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{forwarded(above, HEADERS[language])}"
    )

    assert unwrap(message_of(raw.encode()), "forward") == Unwrapped(
        preprocessor="forward",
        name=Untrusted("Ada Byron"),
        address="ada@client.example",
        subject=Untrusted("Belt 4"),
        text=Untrusted("Belt 4 stands still since 06:10."),
        note=Untrusted("4711"),
    )


@pytest.mark.parametrize("path", FORWARDS, ids=lambda path: path.stem)
def test_a_forward_is_read_as_expected(path: Path) -> None:
    """What stands beside each mail of `tests/corpus/forwards` comes out."""
    spec = importlib.util.spec_from_file_location(path.stem, path.with_suffix(".py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    assert unwrap(message_of(path.read_bytes()), module.EXPECTED.preprocessor) == module.EXPECTED


def test_a_mail_that_forwards_nothing_is_left_alone() -> None:
    """Without a forward block, or without an address in it, the mail stays as it is."""
    unnamed = "---------- Forwarded message ---------\nFrom: Ada\nSubject: Belt\n\nIt stands still."

    assert unwrap(mail("Hello"), "forward") == unwrap(mail("Hello"))
    assert unwrap(replace(mail(unnamed), flags=("forward",)), "forward").preprocessor == "default"
