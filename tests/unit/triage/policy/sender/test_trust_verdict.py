"""How sure we are of a sender."""

from dataclasses import replace

import pytest

from triage.domain.mail import Address, Hop, Message, Signature, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.sender.from_header import senders_of
from triage.policy.sender.trust_verdict import ODD_WAY, STAMP, Edge, TrustVerdict, behind_edge, trust_of, unproven

OURS = "mx.ours.example"
EDGE = Edge(servers=frozenset({OURS}))
M365 = Edge(profile="m365")
GMAIL = replace(EDGE, hops=2, profile="gmail")
ADA = Address(address="ada@a.example")
GOOD = f"{OURS}; dmarc=pass header.from=a.example"
OUTER = ("received", "from outside by mx.ours.example")
FAR = ("received", "from home by far.example")


def told(*fields: str, sender: Address | None = ADA) -> Message:
    """A mail through our server, with these fields of its hand."""
    return Message(sender=sender, headers=(*((STAMP, one) for one in fields), OUTER, FAR))


@pytest.mark.parametrize(
    ("fields", "trust"),
    [
        ([], Trust.UNVERIFIED),
        ([GOOD], Trust.VERIFIED),
        ([f"{OURS}; dmarc=pass"], Trust.UNVERIFIED),
        ([f"{OURS}; dmarc=pass header.from=b.example"], Trust.UNVERIFIED),
        ([f"{OURS}; dmarc=fail header.from=a.example; dkim=pass header.d=a.example"], Trust.FAILED),
        ([f"{OURS}; dkim=pass header.d=a.example"], Trust.WEAK),
        ([f"{OURS}; dkim=pass header.i=@mail.a.example"], Trust.WEAK),
        ([f"{OURS}; dkim=fail header.d=a.example"], Trust.UNVERIFIED),
        ([f"{OURS}; dkim=pass header.d=b.example; dkim=pass header.d=a.example"], Trust.WEAK),
        ([f"{OURS}; dkim=pass header.d=example"], Trust.UNVERIFIED),
        ([f"{OURS}; spf=pass smtp.mailfrom=bounces.a.example"], Trust.WEAK),
        ([f"{OURS}; spf=pass smtp.mailfrom=a.example.evil.example"], Trust.UNVERIFIED),
        ([f"{OURS}; spf=pass smtp.helo=a.example"], Trust.UNVERIFIED),
        ([f"{OURS}; dmarc=none", GOOD], Trust.UNVERIFIED),
        ([f"{OURS}; spf=none", GOOD], Trust.VERIFIED),
        (["mx.evil.example; dmarc=pass header.from=a.example"], Trust.UNVERIFIED),
        (["dmarc=pass header.from=a.example"], Trust.UNVERIFIED),
        (['mx.ours.example; spf=pass smtp.mailfrom="unclosed', GOOD], Trust.VERIFIED),
    ],
)
def test_our_server(fields: list[str], trust: Trust) -> None:
    """Only our server's words count; of two on one check the upper."""
    assert trust is trust_of(told(*fields), None, EDGE).trust


@pytest.mark.parametrize(
    ("edge", "headers", "trust"),
    [
        (EDGE, ((STAMP, GOOD), OUTER), Trust.VERIFIED),
        (EDGE, (("x-spam", "no"), (STAMP, GOOD), ("delivered-to", "x"), OUTER, FAR), Trust.VERIFIED),
        (EDGE, (OUTER, (STAMP, GOOD), FAR), Trust.UNVERIFIED),
        (EDGE, (OUTER, (STAMP, GOOD)), Trust.UNVERIFIED),
        (EDGE, (OUTER, FAR, (STAMP, GOOD)), Trust.UNVERIFIED),
        (EDGE, ((STAMP, f"{OURS}; spf=none"), OUTER, (STAMP, GOOD)), Trust.UNVERIFIED),
        (EDGE, ((STAMP, f"{OURS}; spf=pass smtp.mailfrom=a.example"), OUTER, (STAMP, GOOD)), Trust.WEAK),
        (EDGE, ((STAMP, GOOD),), Trust.UNVERIFIED),
        (replace(EDGE, hops=2), (OUTER, (STAMP, GOOD), OUTER, FAR), Trust.VERIFIED),
        (replace(EDGE, hops=2), (OUTER, OUTER, (STAMP, GOOD), FAR), Trust.UNVERIFIED),
        (replace(EDGE, hops=2), ((STAMP, GOOD), OUTER), Trust.UNVERIFIED),
        (replace(EDGE, hops=0), ((STAMP, GOOD), FAR), Trust.UNVERIFIED),
        (EDGE, (("arc-authentication-results", GOOD), ("x-authentication-results", GOOD), OUTER), Trust.UNVERIFIED),
        (Edge(), ((STAMP, GOOD), OUTER), Trust.UNVERIFIED),
        (M365, ((STAMP, GOOD.partition("; ")[2]), OUTER), Trust.VERIFIED),
        (M365, ((STAMP, GOOD), OUTER), Trust.UNVERIFIED),
        (M365, ((STAMP, "spf=none"), OUTER, (STAMP, "dmarc=pass header.from=a.example")), Trust.UNVERIFIED),
        (GMAIL, (OUTER, OUTER, (STAMP, GOOD), FAR), Trust.VERIFIED),
        (GMAIL, (OUTER, OUTER, (STAMP, GOOD)), Trust.VERIFIED),
        (GMAIL, (OUTER, OUTER, (STAMP, f"{OURS}; spf=none"), (STAMP, GOOD)), Trust.UNVERIFIED),
        (GMAIL, (OUTER, OUTER, (STAMP, "mx.evil.example; spf=none"), (STAMP, GOOD)), Trust.UNVERIFIED),
        (GMAIL, (OUTER, OUTER, FAR, (STAMP, GOOD)), Trust.UNVERIFIED),
        (GMAIL, (OUTER, (STAMP, GOOD)), Trust.UNVERIFIED),
    ],
)
def test_place(edge: Edge, headers: tuple[tuple[str, str], ...], trust: Trust) -> None:
    """A field below the last Received line of our own servers may have been written by the sender."""
    assert trust is trust_of(Message(sender=ADA, headers=headers), None, edge).trust


def test_what_is_not_believed_is_told() -> None:
    """A field in our server's name that stands too low is named, so that a wrong TRUSTED_HOPS is found."""
    below = Message(sender=ADA, headers=(OUTER, (STAMP, GOOD), (STAMP, "mx.evil.example; spf=none"), FAR))

    assert trust_of(below, None, EDGE).evidence == (
        "no proof of our servers",
        f"Authentication-Results of {OURS} stand below our Received lines: not believed, see TRUSTED_HOPS",
    )
    assert trust_of(below, None, Edge()).evidence == ("no proof of our servers",)


@pytest.mark.parametrize(("edge", "checks"), [(EDGE, True), (M365, True), (GMAIL, True), (Edge(), False)])
def test_who_checks(edge: Edge, *, checks: bool) -> None:
    """Senders are checked where a server of ours is named, or the provider needs no name."""
    assert checks is edge.checks


@pytest.mark.parametrize("sender", [None, Address(address="root")])
def test_nobody(sender: Address | None) -> None:
    """A mail without a sender's domain proves nothing."""
    assert trust_of(told(GOOD, sender=sender), None, EDGE).trust is Trust.UNVERIFIED


def test_reply_to_is_nobody() -> None:
    """Who answers go to says nothing about who wrote."""
    mail = replace(told(GOOD), sender=Address(address="eve@evil.example"), reply_to=(ADA,))

    assert trust_of(mail, None, EDGE).trust is Trust.UNVERIFIED


@pytest.mark.parametrize("flag", ["many-from", "from-disagrees"])
@pytest.mark.parametrize(
    ("verdict", "trust"),
    [(Trust.VERIFIED, Trust.UNVERIFIED), (Trust.WEAK, Trust.UNVERIFIED), (Trust.FAILED, Trust.FAILED)],
)
def test_two_senders(flag: str, verdict: Trust, trust: Trust) -> None:
    """Where programs disagree about the sender nobody is verified, whatever the provider says."""
    found = trust_of(Message(sender=ADA, flags=(flag,)), verdict, EDGE)

    assert (trust, flag in found.evidence) == (found.trust, True)


def test_provider() -> None:
    """A provider's word goes before the fields of the mail."""
    found = trust_of(told(GOOD), Trust.WEAK, EDGE)

    assert TrustVerdict(trust=Trust.WEAK, evidence=("as the provider says",)) == found


@pytest.mark.parametrize(
    ("source", "counts"), [("imap:support", True), ("webhook:mime", True), ("file", True), ("webhook:postmark", False)]
)
def test_ways_round(source: str, *, counts: bool) -> None:
    """What comes by a provider's webhook has not passed our server, whatever it says."""
    assert counts is (behind_edge(source, EDGE) == EDGE)
    assert counts is (behind_edge(source, M365) == M365)


# --- our own check --------------------------------------------------------------------------------

PASS = Signature(domain="a.example", result="pass")
MAIL = Message(sender=ADA, headers=(OUTER,))


@pytest.mark.parametrize(
    ("signature", "trust"),
    [
        (PASS, Trust.WEAK),
        (replace(PASS, domain="mail.a.example"), Trust.WEAK),
        (replace(PASS, domain="evil.example"), Trust.UNVERIFIED),
        (replace(PASS, result="fail", why="the text was changed"), Trust.UNVERIFIED),
        (replace(PASS, result="policy"), Trust.UNVERIFIED),
        (replace(PASS, result="none"), Trust.UNVERIFIED),
    ],
)
def test_checked_here(signature: Signature, trust: Trust) -> None:
    """What we have checked counts as if a server of ours had written it down, and is told as our own."""
    found = trust_of(MAIL, None, EDGE, (signature,))
    ours = told(f"{OURS}; dkim={signature.result} header.d={signature.domain}")

    assert (found.trust, trust_of(ours, None, EDGE).trust) == (trust, trust)
    why = f": {signature.why}" if signature.why else ""
    assert found.evidence == (f"dkim={signature.result} for {signature.domain}{why}, checked here",)


def test_others_first() -> None:
    """Our own check says nothing where a provider or a server of ours has spoken, and heals no odd From."""
    spoken = told(f"{OURS}; spf=none")

    assert trust_of(spoken, None, EDGE, (PASS,)).trust is Trust.UNVERIFIED
    assert trust_of(MAIL, Trust.FAILED, EDGE, (PASS,)).trust is Trust.FAILED
    assert trust_of(replace(MAIL, flags=("many-from",)), None, EDGE, (PASS,)).trust is Trust.UNVERIFIED


@pytest.mark.parametrize(
    ("mail", "verdict", "domain"),
    [
        (MAIL, None, "a.example"),
        (told("mx.evil.example; dmarc=pass header.from=a.example"), None, "a.example"),
        (MAIL, Trust.UNVERIFIED, ""),
        (told(f"{OURS}; spf=none"), None, ""),
        (replace(MAIL, sender=None), None, ""),
        (replace(MAIL, flags=("from-disagrees",)), None, ""),
        (replace(MAIL, flags=("degraded:headers",)), None, ""),
        (replace(MAIL, flags=("hidden-text",)), None, "a.example"),
    ],
)
def test_unproven(mail: Message, verdict: Trust | None, domain: str) -> None:
    """A check of our own is made where nobody whom we trust has spoken, and the sender is read in one way."""
    assert unproven(mail, verdict, EDGE) == domain


# --- who else is named ----------------------------------------------------------------------------


def from_(raw: str, *more: tuple[str, str]) -> Message:
    """A mail of Ada's with a good stamp and this From."""
    good = told(GOOD)
    return replace(good, headers=(*good.headers, ("from", raw), *more))


@pytest.mark.parametrize(
    "mail",
    [
        from_("Ada (eve@evil.example) <ada@a.example>"),
        from_("ada@a.example (Eve <eve@evil.example>)"),
        from_("Ada <ada@(evil.example)a.example>"),
        from_("Ada <(eve)ada@a.example>"),
        from_("ada(x)@a.example"),
        from_("ada@a(x).example"),
        from_("Ada <ada@a.example>", ("sender", "eve@evil.example")),
        from_("Ada <ada@a.example>", ("sender", "Assistant <eve@a.example>")),
        from_("Ada <ada@a.example>", ("sender", "ada@a.example"), ("sender", "eve@evil.example")),
        from_("Ada <ada@a.example>", ("sender", '"ada@a.example" <eve@evil.example>')),
    ],
)
def test_sender_differs(mail: Message) -> None:
    """A comment that could be the address, and a Sender who is somebody else, make the best stamp no proof."""
    assert senders_of(mail).all
    assert trust_of(mail, None, EDGE).trust is trust_of(mail, Trust.VERIFIED, EDGE).trust is Trust.UNVERIFIED
    assert trust_of(mail, Trust.FAILED, EDGE).trust is Trust.FAILED


@pytest.mark.parametrize(
    "mail",
    [
        from_("Ada <ada@a.example>"),
        from_("Ada Byron (Harbourline) <ada@a.example>"),
        from_('"Byron, Ada (Sales)" <ada@a.example>'),
        from_("ada@a.example (Ada Byron)"),
        from_("ada@a.example (ada@a.example)"),
        from_('"(eve@evil.example)" <ada@a.example>'),
        from_("Ada <ada@a.example>", ("sender", "Ada <ADA@a.example>")),
        from_("Ada <ada@a.example>", ("sender", "")),
        from_("Ada <ada@a.example>", ("sender", "root")),
        told(GOOD),
    ],
)
def test_one_sender(mail: Message) -> None:
    """Comments that hold a name, and a Sender who is the same, change nothing."""
    assert (senders_of(mail).all, trust_of(mail, None, EDGE).trust) == ((), Trust.VERIFIED)


@pytest.mark.parametrize(
    ("fields", "trust"),
    [
        ((("list-id", "Talk <talk.lists.example>"),), Trust.WEAK),
        ((("list-post", "<mailto:talk@lists.example>"),), Trust.WEAK),
        ((("list-id", "Talk <talk.others.example>"),), Trust.UNVERIFIED),
        ((), Trust.UNVERIFIED),
    ],
)
def test_a_list_hands_on(fields: tuple[tuple[str, str], ...], trust: Trust) -> None:
    """What a mailing list has sent in its own name is a weak proof of who wrote it."""
    mail = from_("Ada <ada@a.example>", ("sender", "talk-bounces@lists.example"), *fields)

    assert (senders_of(mail).by_list, trust_of(mail, None, EDGE).trust) == (trust is Trust.WEAK, trust)


def test_nobody_differs_from_nobody() -> None:
    """A mail without a From has none to differ from, and is unproven anyhow."""
    nobody = Message(headers=(("sender", "eve@evil.example"), ("from", "(eve@evil.example)")))

    assert senders_of(nobody).all == ("a comment names eve@evil.example", "sent by eve@evil.example")


WAY = (
    Hop(sender=Untrusted("out.a.example ([192.0.2.7])"), by=Untrusted(OURS)),
    Hop(sender=Untrusted("the bank itself"), by=Untrusted("far.example")),
)


@pytest.mark.parametrize("fields", [(), (GOOD,), (f"{OURS}; dmarc=fail",), (f"{OURS}; dkim=pass header.d=a.example",)])
@pytest.mark.parametrize("flags", [(), ("received-defects",), ("received-backwards", "received-defects")])
def test_way_of_a_mail_never_changes_its_trust(fields: tuple[str, ...], flags: tuple[str, ...]) -> None:
    """Hops and their defects stand beside the verdict; the trust is what it is without them."""
    plain = told(*fields)
    before, after = trust_of(plain, None, EDGE), trust_of(replace(plain, hops=WAY, flags=flags), None, EDGE)
    assert after.trust == before.trust
    assert after.evidence[: len(before.evidence)] == before.evidence
    beside = after.evidence[len(before.evidence) :]
    assert beside[0] == "handed to our servers by out.a.example ([192.0.2.7])"
    assert [ODD_WAY[flag] for flag in flags] == list(beside[1:])


def test_way_is_told_of_our_own_servers_only() -> None:
    """What stands below the lines of our servers is a stranger's word, and where none of ours checks, all of it is."""
    for edge in (Edge(), replace(EDGE, hops=0), replace(EDGE, hops=3), behind_edge("webhook:postmark", EDGE)):
        assert not [one for one in trust_of(replace(told(), hops=WAY), None, edge).evidence if "handed" in one]
    (why,) = [one for one in trust_of(replace(told(), hops=WAY), None, EDGE).evidence if "handed" in one]
    assert "bank" not in why
