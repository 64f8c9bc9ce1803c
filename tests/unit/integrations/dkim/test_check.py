"""DKIM: which signatures are looked at, what they prove, and that no mail and no name server holds us up."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrations.dkim import missing
from integrations.dkim.check import DkimCheck
from integrations.dkim.keys import LARGEST, Keys, NoAnswer
from integrations.dkim.signatures import candidates
from integrations.dkim.verify import SignedMail
from integrations.parser_process.process import COMMAND as READER
from tests.conftest import PATIENCE
from tests.growth import growth
from tests.servers.dns import GARBAGE, SERVFAIL, SILENT, TRUNCATED, RunningDns
from tests.unit.integrations.dkim.dkim_letters import DOMAIN, NAME, SELECTOR, Key, letter, made, short, signed
from triage.domain.mail import Signature

KEY = made()
EVIL = "evil.example"


def verdict(raw: bytes, record: bytes = KEY.record()) -> str:
    """What the topmost signature proves."""
    return SignedMail(raw).verify(0, DOMAIN, SELECTOR, record).result


# --- one signature --------------------------------------------------------------------------------


@pytest.mark.parametrize("canon", ["relaxed/relaxed", "relaxed/simple", "simple/relaxed", "simple/simple"])
@pytest.mark.parametrize("lines", [b"\r\n", b"\n"])
@pytest.mark.parametrize("text", ["", "It is \t broken.  \r\n\r\n", "\r\n\r\n", " \t \r\nx   y", "a\r\n \r\nb\r\n"])
def test_sound(canon: str, lines: bytes, text: str) -> None:
    """Whatever way a mail was signed and stored, its signature holds."""
    raw = signed(letter(text=text), KEY, canon=canon).replace(b"\r\n", lines)

    assert verdict(raw) == "pass"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"It is", b"It was"),
        (b"question", b"answer"),
        (b"dora@", b"eve@"),
        (b"s=s1", b"s=s1; x=1"),
        (b"b=", b"b=BBBB"),
    ],
)
def test_changed(old: bytes, new: bytes) -> None:
    """A mail that was changed behind its signer's back proves nothing."""
    assert verdict(signed(letter(), KEY).replace(old, new)) == "fail"


def test_second_sender_on_top() -> None:
    """A From that is put above the signed one breaks the signature."""
    raw = signed(letter(), KEY)

    assert verdict(b"From: boss@corner-shop.example\r\n" + raw) == "fail"


@pytest.mark.parametrize(
    ("raw", "result"),
    [
        (signed(letter(), KEY, l="5"), "policy"),
        (signed(letter(), KEY, names=("subject", "date")), "policy"),
        (signed(letter(), KEY, digest="sha1"), "policy"),
        (signed(letter(), KEY, i="@shop.example"), "permerror"),
        (signed(letter(), KEY, i="corner-shop.example"), "permerror"),
        (signed(letter(), KEY, i="@mail.corner-shop.example"), "pass"),
        (signed(letter(), KEY, d="evil.example"), "permerror"),
        (signed(letter(), KEY, x="1000000000"), "fail"),
        (signed(letter(), KEY, t="9999999999"), "fail"),
        (signed(letter(), KEY, v="2"), "fail"),
        (signed(letter(), KEY, q="http"), "fail"),
        (signed(letter(), KEY, c="odd/relaxed"), "fail"),
        (signed(letter(), KEY).replace(b"d=", b"d=x; d="), "permerror"),
        (signed(letter(), KEY).replace(b"a=", b"a"), "permerror"),
    ],
    ids=["l", "no from", "sha1", "i", "i-bare", "i-below", "d", "x", "t", "v", "q", "c", "twice", "broken"],
)
def test_tags(raw: bytes, result: str) -> None:
    """What covers too little, is too weak, too old or contradicts itself is refused."""
    assert verdict(raw) == result


@pytest.mark.parametrize(
    ("record", "result"),
    [
        (KEY.record(v="-", k="-"), "pass"),
        (KEY.record(s="email:other", h="sha1:sha256", t="x"), "pass"),
        (KEY.record(t="y:s"), "none"),
        (KEY.record(p=""), "fail"),
        (KEY.record(p="-"), "permerror"),
        (KEY.record(p="AAAA"), "fail"),
        (KEY.record(v="DKIM2"), "permerror"),
        (KEY.record(k="ed25519"), "permerror"),
        (KEY.record(h="sha1"), "permerror"),
        (KEY.record(s="tlsrpt"), "permerror"),
        (KEY.record().replace(b"=", b""), "permerror"),
        (Key(KEY.private, b"x" * 20).record(), "fail"),
        (short().record(), "fail"),
    ],
)
def test_keys(record: bytes, result: str) -> None:
    """A key counts for what it is for; one that is being tried out proves nothing and refutes nothing."""
    assert verdict(signed(letter(), KEY), record) == result


def test_key_of_a_part() -> None:
    """A key that is for the domain alone proves nothing of those below it."""
    below = signed(letter(), KEY, i="@mail.corner-shop.example")

    assert (verdict(below, KEY.record(t="s")), verdict(signed(letter(), KEY), KEY.record(t="s"))) == (
        "permerror",
        "pass",
    )


def test_short_key() -> None:
    """A key that can be broken proves nothing."""
    assert verdict(signed(letter(), short()), short().record()) == "policy"


def test_slow_text() -> None:
    """A text that is made to be canonicalised slowly is not."""
    letters = {size: signed(letter(text="x" + " " * size + "y"), KEY) for size in (40_000, 320_000)}

    assert {verdict(raw) for raw in letters.values()} == {"pass"}
    assert growth(lambda size: verdict(letters[40_000 if size < 320_000 else 320_000]), 40_000) < 3


@given(st.binary(max_size=300), st.binary(max_size=100))
def test_junk(value: bytes, record: bytes) -> None:
    """No signature and no record makes it say pass, or something that is no result."""
    raw = b"DKIM-Signature: " + value.replace(b"\n", b"").replace(b"\r", b"") + b"\r\n" + letter()

    assert verdict(raw, record) in {"fail", "permerror", "policy", "none"}


# --- which ones -----------------------------------------------------------------------------------


def fields(*domains: str) -> bytes:
    """A mail with signatures of these domains, none of them real."""
    return letter(*(f"DKIM-Signature: d={domain};\r\n s=s1; b=x" for domain in domains))


def test_candidates() -> None:
    """Those of the sender's domain first, then those above and below it, three at most; strangers are not asked for."""
    found = candidates(fields(EVIL, "mail.corner-shop.example", "example", DOMAIN, DOMAIN.upper(), DOMAIN), DOMAIN)

    assert [(one.place, one.domain) for one in found] == [(3, DOMAIN), (4, DOMAIN), (5, DOMAIN)]
    assert found[0].name == NAME
    assert [one.domain for one in candidates(fields(EVIL, DOMAIN), "mail.corner-shop.example")] == [DOMAIN]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n" + fields(DOMAIN),
        fields(DOMAIN).partition(b"\r\n\r\n")[0],
        letter(f"X: {'x' * 100_000}", f"DKIM-Signature: d={DOMAIN}; s=s1"),
        letter(f"DKIM-Signature: d={DOMAIN}; s=s1; z={'x' * 8_000}"),
        letter("no field", f"DKIM-Signature: d={DOMAIN}; s=s1"),
        letter(f"DKIM-Signature: d={DOMAIN}; s=s1/../x"),
        letter(f"DKIM-Signature: d={DOMAIN}"),
        letter(f"DKIM-Signature: d={DOMAIN}; s={'x.' * 101}x"),
    ],
    ids=["empty", "no head", "no body", "long", "long field", "no field", "odd name", "no selector", "long name"],
)
def test_no_candidates(raw: bytes) -> None:
    """What a library and a reader could see differently is not looked at, and no odd name is looked up."""
    assert candidates(raw, DOMAIN) == ()


# --- keys in DNS ----------------------------------------------------------------------------------


def keys(name_server: RunningDns, seconds: float = 3.0) -> Keys:
    """Keys from that server."""
    return Keys(("127.0.0.1", name_server.port), seconds)


async def test_records(name_server: RunningDns) -> None:
    """A record is put together of its pieces, by TCP where it is long, and asked for once."""
    name_server.records = {NAME: [KEY.record()], "cut.example": [b"v=DKIM1; p=" + b"A" * 1500]}
    name_server.faults = {"cut.example": TRUNCATED}
    asked = keys(name_server)

    assert [await asked.find(NAME) for _ in range(2)] == [KEY.record()] * 2
    assert await asked.find("cut.example") == b"v=DKIM1; p=" + b"A" * 1500
    assert name_server.asked.count(NAME) == 1


async def test_no_record(name_server: RunningDns) -> None:
    """No name, several records, an empty or a monstrous one: there is no key."""
    name_server.records = {"two.example": [b"a", b"b"], "none.example": [b""], "big.example": [b"x" * (LARGEST + 1)]}
    asked = keys(name_server)

    assert [await asked.find(name) for name in ("no.example", *name_server.records)] == [None] * 4


@pytest.mark.parametrize("fault", [SERVFAIL, SILENT, GARBAGE])
async def test_trouble(name_server: RunningDns, fault: str) -> None:
    """A server that fails, keeps silent or talks nonsense has not answered, and we do not wait for long."""
    name_server.faults = {NAME: fault}
    with pytest.raises(NoAnswer):
        await keys(name_server, 0.3).find(NAME)


# --- the whole check ------------------------------------------------------------------------------


@pytest.fixture
async def check(name_server: RunningDns) -> AsyncIterator[DkimCheck]:
    """The check over that server."""
    name_server.records[NAME] = [KEY.record()]
    made = DkimCheck(("127.0.0.1", name_server.port), seconds=PATIENCE)
    yield made
    await made.close()


def told(*results: str) -> list[tuple[str, str]]:
    """Results of our domain."""
    return [(DOMAIN, result) for result in results]


def seen(signatures: tuple[Signature, ...]) -> list[tuple[str, str]]:
    """Whose, and what came of it."""
    return [(one.domain, one.result) for one in signatures]


async def test_check(check: DkimCheck, name_server: RunningDns) -> None:
    """Signatures are verified by a child with the keys of DNS; one mail after another, and at the same time."""
    good = signed(letter(), KEY)
    twice = signed(signed(letter(), KEY), KEY, selector="s2")
    both = [good, good.replace(b"It is", b"It was"), twice, letter(), signed(letter(), KEY, domain=EVIL)]

    results = await asyncio.gather(*(check.check(raw, DOMAIN) for raw in both))

    assert [seen(one) for one in results] == [told("pass"), told("fail"), told("pass", "permerror"), [], []]
    assert f"{SELECTOR}._domainkey.{EVIL}" not in name_server.asked
    assert await check.ready() == ""


@pytest.mark.parametrize("fault", [SERVFAIL, SILENT])
async def test_dns_in_trouble(check: DkimCheck, name_server: RunningDns, fault: str) -> None:
    """While DNS is in trouble nothing is known, which is no failure; afterwards it is asked again."""
    name_server.faults = dict.fromkeys((NAME, "ready._domainkey.example.com"), fault)
    during, ready = await check.check(signed(letter(), KEY), DOMAIN), await check.ready()
    name_server.faults.clear()

    assert (seen(during), bool(ready)) == (told("none"), True)
    assert seen(await check.check(signed(letter(), KEY), DOMAIN)) == told("pass")


async def test_too_large(check: DkimCheck, name_server: RunningDns) -> None:
    """A mail that is too large is not verified, and its key not asked for; a large one is, and its child goes."""
    large = signed(letter(text="x\r\n" * 1_000_000), KEY)
    huge = large + b"x\r\n" * 8_000_000

    assert seen(await check.check(huge, DOMAIN)) == told("none")
    assert name_server.asked == []
    assert (seen(await check.check(large, DOMAIN)), check._child) == (told("pass"), None)


@pytest.mark.parametrize(
    "command",
    [("/bin/sleep", "60"), ("/bin/false",), ("/no/such/thing",), READER],
    ids=["silent", "dead", "absent", "another"],
)
async def test_broken_child(name_server: RunningDns, command: tuple[str, ...]) -> None:
    """A child that does not answer, or not to the question, costs some seconds and proves nothing."""
    name_server.records[NAME] = [KEY.record()]
    broken = DkimCheck(("127.0.0.1", name_server.port), command=command, seconds=1.5)

    assert seen(await broken.check(signed(letter(), KEY), DOMAIN)) == told("none")
    await broken.close()


async def test_child_ends_over_a_mail(check: DkimCheck, tmp_path: Path) -> None:
    """A mail that ends the child harms no other."""
    await check.check(signed(letter(), KEY), DOMAIN)
    child = check._child
    assert child is not None
    child.process.kill()
    child.process.wait()

    assert seen(await check.check(signed(letter(), KEY), DOMAIN)) == told("pass")


def test_extra_is_installed() -> None:
    """Nothing of the extra is missing here; where something is, its name is told."""
    assert missing() == ()
