"""Which server stamps the mails of a mailbox: read from its newest mails, never from what one sender wrote."""

import pytest

from triage.policy.sender.authserv import Advice, Fields, advice_of, proven
from triage.policy.sender.trust_verdict import Edge

STAMP = "authentication-results"
PASS = "dmarc=pass header.from=a.example"


def mail(*lines: str) -> Fields:
    """A header: `by HOST` is a Received line, everything else a stamp."""
    return tuple(("received", f"from x {line}") if line.startswith("by ") else (STAMP, line) for line in lines)


def stamps(server: str) -> str:
    """What a server writes."""
    return f"{server}; {PASS}"


OURS = mail(stamps("mx.ours.example"), "by mx.ours.example (Postfix)", "by far.example")
DELIVERED = mail("by imap.ours.example (LMTP)", stamps("mx.ours.example"), "by mx.ours.example", "by far.example")
FORGED = mail("by mx.ours.example", stamps("mx.evil.example"), "by far.example")
FORGED_OURS = mail("by mx.ours.example", stamps("mx.ours.example"), "by far.example")
BARE = mail("by mx.ours.example", "by far.example")
GOOGLE = mail("by 2002:a05:7300::1", "by mx.google.com with ESMTPS", stamps("mx.google.com"), stamps("far.example"))
OUTLOOK = mail(PASS, "by AM0PR01.prod.outlook.com", "by far.example")


@pytest.mark.parametrize(
    ("mails", "wanted"),
    [
        ([OURS] * 4, Advice(server="mx.ours.example", stamped=4)),
        ([OURS, OURS, OURS, BARE], Advice(server="mx.ours.example", stamped=3)),
        ([OURS, BARE, BARE], Advice()),
        ([DELIVERED] * 3, Advice(server="mx.ours.example", hops=2, stamped=3)),
        ([DELIVERED, BARE, BARE], Advice()),
        ([FORGED] * 5, Advice()),
        ([FORGED_OURS] * 5, Advice()),
        ([OURS, OURS, OURS, FORGED], Advice(server="mx.ours.example", stamped=3)),
        ([GOOGLE] * 3, Advice(server="mx.google.com", hops=2, profile="gmail", stamped=3)),
        ([GOOGLE, BARE, BARE], Advice()),
        ([OUTLOOK] * 3, Advice(profile="m365", stamped=3)),
        ([BARE] * 3, Advice()),
        ([mail("nonsense (")], Advice()),
        ([], Advice()),
    ],
    ids=[
        *("ours", "most are ours", "few are ours", "delivered by a second server", "few delivered", "forged below"),
        *("forged in our name", "one forged", "gmail", "one by gmail", "microsoft", "no stamp", "junk", "no mail"),
    ],
)
def test_the_server_that_stamps_most(mails: list[Fields], wanted: Advice) -> None:
    """The name above a line of our own in most mails is advised, with as few lines as will do; else nothing is."""
    assert advice_of(mails) == wanted
    assert wanted.found == bool(wanted.stamped)


def test_what_is_advised_proves_the_mails() -> None:
    """Whoever sets what is advised has as many proven mails as the advice counted."""
    for mails in ([OURS] * 4, [DELIVERED] * 3, [GOOGLE] * 3, [OUTLOOK] * 3):
        advice = advice_of(mails)
        servers = frozenset({advice.server} - {""})
        edge = Edge(servers=servers, hops=advice.hops, profile=advice.profile)  # type: ignore[arg-type]  # one of its words

        assert proven(mails, edge) == advice.stamped == len(mails)
