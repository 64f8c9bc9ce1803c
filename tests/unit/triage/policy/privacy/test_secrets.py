"""Secrets in a mail are masked; what only looks like one stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.mail import Message
from triage.domain.untrusted import Untrusted
from triage.policy.privacy.secrets import MASKED, masked, masked_mail

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHkifQ.c2lnbmF0dXJl"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nTm90IGEga2V5\nat all\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "secret", "shown"),
    [
        ("Password: Harbour2026!\nthanks", "Harbour2026!", "Password: [password masked]\nthanks"),
        ("Passwort: leuchtturm", "leuchtturm", "Passwort: [password masked]"),
        ("My password is harbour7 since May.", "harbour7", "My password is [password masked] since May."),
        ("Password:\nHarbour-7\nUser: ada", "Harbour-7", "Password:\n[password masked]\nUser: ada"),
        ('{"user": "ada", "password": "s3a!gull"}', "s3a!gull", '{"user": "ada", "password": "[password masked]"}'),
        ("DB_PASSWORD=k3lp4x", "k3lp4x", "DB_PASSWORD=[password masked]"),
        ("Das Kennwort lautet Moewe#12.", "Moewe#12", "Das Kennwort lautet [password masked]."),
        ("Mot de passe : Été2026!", "Été2026!", "Mot de passe : [password masked]"),
        ("La contraseña es Mar2026!", "Mar2026!", "La contraseña es [password masked]"),
        ("A senha é Mar2026!", "Mar2026!", "A senha é [password masked]"),
        ("Parola d'ordine: Mare2026", "Mare2026", "Parola d'ordine: [password masked]"),
        ("Wachtwoord: Zee2026", "Zee2026", "Wachtwoord: [password masked]"),
        ("Hasło to Morze2026", "Morze2026", "Hasło to [password masked]"),
        ("Heslo je Jaro2026", "Jaro2026", "Heslo je [password masked]"),
        ("パスワード: umi2026", "umi2026", "パスワード: [password masked]"),
        ("api_key=abcd1234efgh", "abcd1234efgh", "api_key=[token masked]"),
        ("The password of the copy, if you want to look: k9!gull-77q", "k9!gull-77q", None),
        ("he changed his password to \u201cMar#2026!\u201d today", "Mar#2026!", None),
        ("Das Passwort habe ich auf Moewe#1234 gesetzt", "Moewe#1234", None),
        ('trocou a senha para "Mar#2026!" e', "Mar#2026!", None),
        (f'-H "Authorization: Bearer {JWT}"', JWT, '-H "Authorization: Bearer [token masked]"'),
        (f"we used {TOKEN} for that", TOKEN, "we used [token masked] for that"),
        (f"cookie {JWT};", JWT, "cookie [token masked];"),
        ("Authorization: Bearer abcdef.12345", "abcdef.12345", "Authorization: Bearer [token masked]"),
        ("https://ada:gull7@host.example/x", "gull7", "https://ada:[password masked]@host.example/x"),
        (f"{KEY}\nRegards", "Tm90IGEga2V5", "[private key masked]\nRegards"),
        ("-----BEGIN PRIVATE KEY-----\nTm90", "Tm90", "[private key masked]"),
        ("Card 4111 1111 1111 1111, 12/27", "4111 1111", "Card [card number masked, ends in 1111], 12/27"),
        ("378282246310005", "378282246310005", "[card number masked, ends in 0005]"),
        ("IBAN DE89 3704 0044 0532 0130 00 please", "0532", "IBAN [IBAN masked, ends in 3000] please"),
        ("gb82west12345698765432", "gb82", "[IBAN masked, ends in 5432]"),
    ],
)
def test_a_secret_is_masked(text: str, secret: str, shown: str | None) -> None:
    """Passwords behind their word, tokens by their shape, cards and IBANs by their checksum."""
    assert masked(text) == (shown or text.replace(secret, "[password masked]"))
    assert secret not in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "The password reset does not work.",
        "My password is wrong, and the password field is empty.",
        "Password: forgotten",
        "Passwort: vergessen",
        "Password: ${DB_PASSWORD}",
        "password = read_password()",
        "Password: ********",
        "The token is expired. Token: invalid",
        "token: parser.py",
        "Order 4111111111111111 and tracking number: 4539578763621486",
        "Card 4111 1111 1111 1112 has a wrong checksum",
        "9111111111111117 is no card's beginning",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "at com.example.Login.password(Login.java:1234567890123)",
        "Version 4.1.1.1, build 20261122103000",
        "XX89370400440532013000 and DE88370400440532013000",
        "DE89 3704 0044 0532 0130 00AB",
        "Ticket key: HARB-12",
        "My password is EMPTY!",
        "d18 4028000000000000 d19 3ff0000000000000",
        "url = 'https://' + user + ':' + word + '@host'",
        "The passwords we have are kept elsewhere.",
        "Since the change of the password the app says: ORA-28001",
        "Password reset fails with: java.lang.Illegal7StateException",
        "Passwort ge\u00e4ndert, danach kommt die Meldung: Fehler 0x80070005",
        "The password page is sent to Harbour2 users",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    """States of a password, placeholders, order numbers, hashes, versions and wrong checksums are no secrets."""
    assert masked(text) == text


@given(st.text(alphabet="passwordPW: =isA1!4\n[]-"))
def test_masking_twice_changes_nothing(text: str) -> None:
    """What was masked is no secret."""
    assert masked(masked(text)) == masked(text)


def test_a_mail_is_masked_in_all_its_texts() -> None:
    """Subject, text, reply and quoted history are masked, and the mail says so; another mail stays the same object."""
    secret = Untrusted("Password: Harbour2026!")
    mail = Message(subject=secret, text=secret, reply=secret, quoted=secret, headers=(("subject", secret), ("to", "x")))
    shown = masked_mail(mail)

    assert "Harbour" not in repr(shown)
    assert MASKED in shown.flags
    assert shown.header("to") == "x"
    plain = Message(subject=Untrusted("Hello"))
    assert masked_mail(plain) is plain
