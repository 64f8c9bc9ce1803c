"""Mails made to hurt a parser: each is read for little CPU, degraded and flagged rather than lost."""

import re
import time
from collections.abc import Callable
from functools import cache
from typing import Final

import pytest

from integrations.mime.message import message_of
from tests.unit.clean import unclean
from triage.domain.mail import Message

HEAD = b"From: Ada <ada@example.com>\nTo: support@acme.example\n"
TEXT = HEAD + b"\n"
CALENDAR = HEAD + b"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\n"
HTML = HEAD + b"Content-Type: text/html\n\n"

BOMBS: dict[str, Callable[[], bytes]] = {
    "encoded words": lambda: HEAD + b"Subject: " + b"=?utf-8?q?abc?= " * 20_000 + b"\n\nhi",
    "folded encoded words": lambda: HEAD + b"Subject: " + b"=?utf-8?q?abc?=\n " * 20_000 + b"x\n\nhi",
    "open encoded words": lambda: HEAD + b"Subject: " + b"=?a?b?x" * 6000 + b"?=\n\nhi",
    "parameters": lambda: HEAD + b"Content-Type: text/plain" + b"; a=b" * 20_000 + b"\n\nhi",
    "sections of RFC 2231": lambda: (
        HEAD + b"Content-Type: text/plain" + b"".join(b"; a*%d=b" % n for n in range(20_000)) + b"\n\nhi"
    ),
    "parameters in an open quote": lambda: HEAD + b'Content-Type: text/plain; a="' + b";" * 200_000 + b"\n\nhi",
    "parameters of a part": lambda: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain"
        + b';b="' * 100_000
        + b"\n\nhi"
    ),
    "recipients": lambda: (
        b"From: a@b.example\nTo: " + b", ".join(b"a%d@x.example" % n for n in range(20_000)) + b"\n\nhi"
    ),
    "quoted words in To": lambda: b"From: a@b.example\nTo: " + b'"a" ' * 20_000 + b"\n\nhi",
    "brackets in From": lambda: b"From: " + b"<" * 39_000 + b"\n\nhi",
    "at signs in From": lambda: b"From: " + b"a@" * 19_000 + b"\n\nhi",
    "references": lambda: HEAD + b"References: " + b"<a@b.example> " * 50_000 + b"\n\nhi",
    "parts": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nhi\n" * 100_000 + b"--x--",
    "nested multiparts": lambda: (
        HEAD
        + b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000))
        + b"\nhi\n"
    ),
    "nested messages": lambda: HEAD + b"Content-Type: message/rfc822\n\n" * 3000 + b"Subject: x\n\nhi",
    "one boundary for all levels": lambda: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=x\n\n"
        + b"--x\nContent-Type: multipart/mixed; boundary=x\n\n" * 3000
    ),
    "near boundaries": lambda: HEAD + b'Content-Type: multipart/mixed; boundary="-"\n\n' + b"---a\n" * 200_000,
    "empty boundary": lambda: HEAD + b'Content-Type: multipart/mixed; boundary=""\n\n' + b"--\n" * 200_000,
    "parentheses": lambda: b"From: " + b"(" * 50_000 + b"\nSubject: " + b"(" * 50_000 + b"\n\nhi",
    "charset idna": lambda: HEAD + b"Content-Type: text/plain; charset=idna\n\n" + b"xn--" * 25_000,
    "charset punycode": lambda: HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" * 50_000,
    "charset with NUL": lambda: HEAD + b'Content-Type: text/plain; charset="ut\x00f"\n\nhi \xff',
    "charset UTF-7": lambda: HEAD + b"Content-Type: text/plain; charset=utf-7\n\n+ADw-script+AD4-",
    "charset unicode_escape": lambda: HEAD + b"Content-Type: text/plain; charset=unicode_escape\n\n\\x3cscript\\x3e",
    "huge zone": lambda: HEAD + b"Date: Thu, 26 Jun 2014 14:00:51 +99999999999\n\nhi",
    "huge date": lambda: HEAD + b"Date: " + b"9" * 50_000 + b"\n\nhi",
    "broken Message-ID": lambda: HEAD + b"Message-ID: <[@x\n\nhi",
    "fields": lambda: HEAD + b"X-A: b\n" * 200_000 + b"\nhi",
    "one long field": lambda: HEAD + b"X-A: " + b"a" * 5_000_000 + b"\n\nhi",
    "no line end": lambda: b"From: " + b"a" * 5_000_000,
    "base64 of nothing": lambda: HEAD + b"Content-Transfer-Encoding: base64\n\n" + b"!!!!" * 500_000 + b"aGk=",
    "broken quoted-printable": lambda: HEAD + b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=X=\n" * 200_000,
    "uuencode": lambda: (
        HEAD + b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n" + b"M!!!!\n" * 100_000 + b"end"
    ),
    "quotes": lambda: TEXT + b">" * 1_000_000,
    "attributions": lambda: TEXT + b"On Mon 5:15 ada@example.com x\n" * 50_000,
    "header blocks": lambda: TEXT + b"From: ada@example.com\n" * 50_000,
    "signatures": lambda: TEXT + b"hi\n" + b"--\n" * 50_000,
    "separators": lambda: TEXT + b"-- x --\n" * 50_000,
    "signs of history on one line": lambda: (
        HEAD + b"In-Reply-To: <1@x>\n\n" + (b"yes On 1 Mar 2026 " * 200 + b"\n" + b"_" * 4000 + b"\n") * 200
    ),
    "rules": lambda: TEXT + (b"- " * 250 + b"x\n") * 1000,
    "leads for the library": lambda: (
        TEXT + b"El  escribi\xc3\xb3 " * 1000 + b"\n" + b"On " * 4000 + b"\n" + b"Den x\n" * 2000
    ),
    "blank lines for the library": lambda: TEXT + b"\n \n" * 4000 + b"Le 5:",
    "flowed": lambda: HEAD + b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 200_000,
    "direction marks": lambda: TEXT + "\u202e".encode() * 300_000 + b"hi",
    "nested elements": lambda: HTML + b"<div>" * 100_000 + b"hi",
    "nested tables": lambda: HTML + b"<table><tr><td>" * 30_000 + b"hi",
    "breaks": lambda: HTML + b"<br>" * 300_000 + b"hi",
    "descendant selectors": lambda: (
        HTML + b"<style>" + b".a .a .a .a .a{color:red}" * 2000 + b"</style>" + b"<div class=a>" * 500 + b"hi"
    ),
    "open comments in CSS": lambda: HTML + b"<style>" + b"/*" * 90_000 + b"</style>hi",
    "braces in CSS": lambda: HTML + b"<style>" + b"a{" * 90_000 + b"</style>hi",
    "commas in a selector": lambda: HTML + b"<style>" + b"a," * 90_000 + b"{color:red}</style>hi",
    "selectors in selectors": lambda: HTML + b"<style>" + b":is(" * 50_000 + b"{color:red}</style>hi",
    "rules in rules": lambda: (
        HTML + b"<style>" + (b"a{" + b"&" * 90) * 2000 + b"{color:red}" + b"}" * 2000 + b"</style>hi"
    ),
    "neighbours": lambda: (
        HTML + b"<style>p:nth-child(3n+2){color:red} p ~ p ~ p ~ b{color:red}</style>" + b"<p>x" * 15_000 + b"hi"
    ),
    "what is inside": lambda: (
        HTML + b"<style>*:has(.z .y){color:red}</style>" + b"<div>" * 200 + b"<p>x" * 15_000 + b"hi"
    ),
    "rules for everything": lambda: HTML + b"<style>" + b"*{color:red}" * 2000 + b"</style>" + b"<p>x" * 15_000 + b"hi",
    "variables": lambda: (
        HTML + b"<style>" + b"--a:b;" * 30_000 + b"</style><p style='color:" + b"var(" * 50_000 + b"'>hi"
    ),
    "numbers in a colour": lambda: HTML + b"<p style='color:hsl(" + b" " * 100_000 + b"'>hi",
    "hostile address in a link": lambda: HTML + b"<a href='http://" + b"[" * 100_000 + b"'>hi</a>",
    "pages of breaks": lambda: (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=x\n\n"
        + (b"--x\nContent-Type: text/html\n\n" + b"<br>" * 20_000 + b"hi\n") * 290
    ),
    "parts of text": lambda: (
        HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n" + (b"--x\n\n" + b"hello at 5:15\n" * 5000 + b"\n") * 290
    ),
    "blank lines in a message": lambda: HEAD + b"Content-Type: message/rfc822\n\n" + b"\n" * 5_000_000,
    "signed without lengths": lambda: (
        HEAD + b"Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n" + b"MIAw" * 300_000
    ),
    "properties that promise more": lambda: (
        HEAD + b"Content-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\neJ8+IgAA" + b"/////" * 300_000
    ),
    "parameters in a calendar": lambda: CALENDAR + b"SUMMARY" + b";a=b" * 50_000 + b":x\n",
    "quotes in a calendar": lambda: CALENDAR + b"SUMMARY;a=" + b'"' * 180_000 + b":x\n",
    "folds in a calendar": lambda: CALENDAR + b"SUMMARY:x" + b"\n x" * 200_000,
    "events in a calendar": lambda: CALENDAR + b"BEGIN:VEVENT\n" * 100_000,
    "armour in armour": lambda: TEXT + b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: a\n" * 50_000,
    "signs where a signature stands": lambda: HEAD + b"In-Reply-To: <1@x>\n\nhi\n\n" + b"(" * 400_000 + b"\n\nx",
    "cards without a mark": lambda: (
        HEAD + b"In-Reply-To: <1@x>\n\nhi.\n\n" + b"Ada Byron\nEx\n01632 960 221\n\n" * 50_000
    ),
    "one long style": lambda: HTML + b'<p style="' + b"color:rgb(" * 50_000 + b'">hi',
}


FLAGS: Final = {
    "encoded words": "degraded:headers",
    "fields": "degraded:headers",
    "parameters": "degraded:parameters",
    "recipients": "degraded:headers",
    "parts": "degraded:parts",
    "nested multiparts": "degraded:depth",
    "nested elements": "degraded:html",
    "breaks": "degraded:html",
    "descendant selectors": "degraded:html",
    "charset idna": "unknown-charset",
    "charset UTF-7": "unknown-charset",
    "charset unicode_escape": "unknown-charset",
}
"""What names what was left out of a bomb."""
HUGE_HEADERS: Final = {"encoded words", "folded encoded words", "fields", "one long field", "references"}
"""Bombs whose text and sender are not lost for the sake of the header."""
MOST: Final = 25
"""Yardsticks that a bomb may cost; most cost less than five."""
TRIES: Final = 3
"""The least of so many counts: what others do on the machine only ever adds."""


def cost_of(work: Callable[[], object]) -> float:
    """CPU that some work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def yardstick() -> None:
    """Work like a parser's, about as much as a tenth of a second of an idle machine of today."""
    for number in range(200):
        lines = [f"{at} {'word ' * (at % 7)}" for at in range(number, number + 400)]
        re.sub(r"(\w+) (\w+)\n", r"\2 \1\n", "\n".join(lines))


@cache
def least_yardstick() -> float:
    """Its CPU on this machine at its quickest."""
    return min(cost_of(yardstick) for _ in range(TRIES))


def yardsticks(work: Callable[[], object]) -> float:
    """How many times the yardstick some work costs. What seems to cost too much is measured again beside its own."""
    costs = [cost_of(work) / least_yardstick()]
    while len(costs) < TRIES and min(costs) >= MOST:
        costs.append(cost_of(work) / min(cost_of(yardstick), cost_of(yardstick)))
    return min(costs)


@pytest.mark.parametrize("name", BOMBS)
def test_bomb_goes_off_without_harm(name: str) -> None:
    """It costs no more than a few yardsticks of CPU to read, whatever the machine; what is read is whole and clean, what was left out is flagged."""
    raw = BOMBS[name]()
    read: list[Message] = []

    assert yardsticks(lambda: read.append(message_of(raw))) < MOST
    assert read[0].size == len(raw)
    assert read[0].reply or not read[0].text
    assert unclean(read[0]) == []
    assert FLAGS.get(name) in {None, *read[0].flags}
    if name in HUGE_HEADERS:
        assert (read[0].text, read[0].sender and read[0].sender.address) == ("hi", "ada@example.com")
    if name in {"charset UTF-7", "charset unicode_escape"}:
        assert "<" not in read[0].text, "UTF-7 and the escape codecs of Python would make markup of plain signs"


def test_essential_fields_behind_a_huge_header_are_found() -> None:
    """Padding in front of Subject and Content-Type does not hide them."""
    raw = HEAD + b"X-A: b\n" * 50_000 + b"Subject: late\nContent-Type: text/html\n\n<p>hi</p>"
    message = message_of(raw)

    assert (message.subject, message.text) == ("late", "hi")


def test_words_within_the_limit_are_decoded() -> None:
    """A long subject in many words is read as far as the limit goes."""
    message = message_of(HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 600 + b"\n\nhi")

    assert "degraded:encoded-words" in message.flags
    assert message.subject.startswith("a" * 500)
