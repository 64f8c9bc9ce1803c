"""The language of a letter."""

import json

import pytest

from tests.conftest import ROOT
from triage.config.letters.texts import LetterTexts
from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.letters.reply.language import language_of_mail, letter_language

KNOWN = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "ja"})
ROWS = [json.loads(line) for line in (ROOT / "tests/corpus/intents/mails.jsonl").read_text("utf-8").splitlines()]


def told(text: str, known: frozenset[str] = KNOWN) -> str:
    """The language of a mail of this text."""
    return language_of_mail(Message(text=Untrusted(text), reply=Untrusted(text)), known)


def test_no_mail_is_answered_in_a_wrong_language() -> None:
    """Of a hundred short mails in ten languages none is taken for another language, and few for none."""
    found = [(row["lang"], told(row["text"])) for row in ROWS]

    assert [(want, got) for want, got in found if got not in {want, ""}] == []
    assert sum(got == "" for _, got in found) <= len(found) // 20


@pytest.mark.parametrize("text", ["", "OK", "42 %", "Export HARB-12"])
def test_a_mail_that_does_not_tell_has_no_language(text: str) -> None:
    """Too few words say nothing; the letter is written in the default language."""
    assert told(text) == ""


def test_a_letter_without_texts_in_the_mail_s_language_has_the_default_one() -> None:
    """German texts answer a German mail; a French one gets the default language, as does one that does not tell."""
    texts = LetterTexts(dict.fromkeys(("en", "de", "cs"), ()))
    mails = ("Die Anmeldung ist kaputt, bitte sehen Sie nach.", "La connexion est cassée, merci de la réparer.", "OK")

    said = [letter_language(Message(text=Untrusted(text), reply=Untrusted(text)), texts, "cs") for text in mails]
    assert said == ["de", "cs", "cs"]


def test_only_languages_with_texts_count() -> None:
    """A language that there are no texts in is never found."""
    assert told("ログインできません。確認をお願いします。", frozenset({"en"})) == ""
    assert told("Die Anmeldung ist kaputt, bitte sehen Sie nach.", frozenset({"en", "fr"})) != "de"
