"""The page of a link shows exactly what would be done, and nothing of a mail is markup there."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.policy.channels.signed_links import LinkAnswer, LinkClaims
from triage.policy.letters.recipients import Recipients
from triage.services.channels.links import Offer
from web.approve.page import decided_page, offer_page, refused_page

APPROVAL = Approval(
    id=4, case="case-2", tool="modify_jira_ticket", arguments="{}", reason="closes <b>", ticket="HARB-2",
    field="comment", becomes="<script>alert(1)</script>\u202e & more", sender="<img src=x> Ada", trust="verified",
)  # fmt: skip


CASE = Case(
    id="case-2", source="file", received_at=datetime(2026, 11, 22, tzinfo=UTC),
    message=Message(subject=Untrusted("<i>Bill"), text=Untrusted("<b>Wrong</b>")),
)  # fmt: skip


def offer(answer: LinkAnswer, approval: Approval = APPROVAL, to: Recipients | None = None, case: Case = CASE) -> Offer:
    """What a link would do."""
    pledge = LinkClaims(approval=4, hash="ab", answer=answer, person="ada@example.com", expires=1)
    return Offer(pledge=pledge, approval=approval, case=case, recipients=to)


def test_the_exact_effect() -> None:
    """Effect, reason, sender and who decides; every word of a mail is escaped, nothing is hidden."""
    page = offer_page(offer(LinkAnswer.YES))

    assert "<script" not in page
    assert "<img" not in page
    assert "\u202e" not in page
    for words in (
        "&lt;i&gt;Bill",
        "&lt;b&gt;Wrong",
        "&lt;script&gt;alert(1)",
        "closes &lt;b&gt;",
        "case-2",
        "You decide as ada@example.com",
        "Do this?",
    ):
        assert words in page


def test_no_and_edited() -> None:
    """A no says what it does; of edited arguments those are shown that would run."""
    edited = Approval(id=4, case="case-2", tool="send_reply", arguments="{}", reason="r", edited='{"body":"New"}')

    assert "No, do nothing" in offer_page(offer(LinkAnswer.NO))
    assert "send_reply\nNew" in offer_page(offer(LinkAnswer.YES, edited))


def test_a_letter() -> None:
    """It stands there line by line, with who gets it; a mail that could not be read is left out."""
    reply = replace(APPROVAL, ticket="", field="reply", becomes="Hello\n\nwe look.")
    to = Recipients(to=(Address(address="eve@example.org"),), cc=(Address(address="kim@example.org"),))
    page = offer_page(offer(LinkAnswer.YES, reply, to, replace(CASE, message=None)))

    assert "<dt>A letter to</dt><dd>eve@example.org, kim@example.org in copy</dd>" in page
    assert "reply:\n\nHello\n\nwe look." in page
    assert "<h2>" not in page
    move = replace(APPROVAL, field="status", was="To Do", becomes="Done")
    assert "HARB-2 status: To Do → Done" in offer_page(offer(LinkAnswer.YES, move))


def test_what_was_decided() -> None:
    """Each end has its words."""
    states = (ApprovalState.ACCEPTED, ApprovalState.REJECTED, ApprovalState.OPEN, ApprovalState.EXPIRED)
    pages = [decided_page(Approval(id=4, case="c", tool="t", arguments="{}", reason="r", state=one)) for one in states]

    assert [
        word in page for word, page in zip(("carried out", "Nothing", "One more", "expired"), pages, strict=True)
    ] == [True] * 4
    assert "&lt;why&gt;" in refused_page("<why>")
