"""How sure we are of a sender."""

from dataclasses import replace

import pytest

from triage.domain.mail import Address, Message, Signature, Trust
from triage.policy.sender import Edge, TrustVerdict, behind_edge, trust_of, unproven

OURS = "mx.ours.example"
EDGE = Edge(servers=frozenset({OURS}))
M365 = Edge(profile="m365")
ADA = Address(address="ada@a.example")
GOOD = f"{OURS}; dmarc=pass header.from=a.example"
OUTER = ("received", "from outside by mx.ours.example")
FAR = ("received", "from home by far.example")


def told(*fields: str, sender: Address | None = ADA) -> Message:
    """A mail through our server, with these fields of its hand."""
    return Message(sender=sender, headers=(*(("authentication-results", one) for one in fields), OUTER, FAR))


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
        (EDGE, (OUTER, ("authentication-results", GOOD), FAR), Trust.VERIFIED),
        (EDGE, (OUTER, FAR, ("authentication-results", GOOD)), Trust.UNVERIFIED),
        (EDGE, (OUTER, ("authentication-results", GOOD)), Trust.VERIFIED),
        (EDGE, (("authentication-results", GOOD),), Trust.UNVERIFIED),
        (replace(EDGE, hops=2), (OUTER, FAR, ("authentication-results", GOOD), FAR), Trust.VERIFIED),
        (replace(EDGE, hops=0), (("authentication-results", GOOD), FAR), Trust.VERIFIED),
        (replace(EDGE, hops=0), (FAR, ("authentication-results", GOOD)), Trust.UNVERIFIED),
        (EDGE, (OUTER, ("arc-authentication-results", GOOD), ("x-authentication-results", GOOD)), Trust.UNVERIFIED),
        (Edge(), (("authentication-results", GOOD), OUTER), Trust.UNVERIFIED),
        (M365, (("authentication-results", GOOD.partition("; ")[2]), OUTER), Trust.VERIFIED),
        (M365, (("authentication-results", GOOD), OUTER), Trust.UNVERIFIED),
        (
            M365,
            (
                ("authentication-results", "spf=none"),
                OUTER,
                ("authentication-results", "dmarc=pass header.from=a.example"),
            ),
            Trust.UNVERIFIED,
        ),
    ],
)
def test_place(edge: Edge, headers: tuple[tuple[str, str], ...], trust: Trust) -> None:
    """A field below the lines of our own servers may have been written by the sender."""
    assert trust is trust_of(Message(sender=ADA, headers=headers), None, edge).trust


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
