"""The conditions of a rule beyond sender, subject, header and forward."""

from dataclasses import replace

import pytest

from triage.config.routing.rule import RoutingRule
from triage.domain.findings import Disposition
from triage.domain.mail import Address, Attachment, Kind, Message, Trust
from triage.domain.untrusted import Untrusted
from triage.policy.routing.conditions import Proof, RouteFacts, findings
from triage.policy.text.cues import languages_of


def file(name: str, size: int = 50_000, kind: str = "application/pdf") -> Attachment:
    """An attachment."""
    return Attachment(name=Untrusted(name), content_type=kind, size=size, inline=False, sha256="0")


FACTS = RouteFacts(
    message=Message(
        to=(Address(address="Support@ours.example"),),
        cc=(Address(address="Team"),),
        headers=(("delivered-to", "<alias@ours.example>"), ("subject", "x")),
        attachments=(file("offer.pdf"),),
    ),
    proof=Proof(trust=Trust.WEAK),
    source="imap:support",
    kind=Kind.LIST,
    project="SHOP",
    languages=("cs", "sk"),
    disposition=Disposition.QUESTION,
)


@pytest.mark.parametrize(
    ("holds", "fails", "told"),
    [
        ({"recipient": ("support@ours.example",)}, {"recipient": ("other@ours.example",)}, "to support@ours.example"),
        ({"recipient": ("@ours.example",)}, {"recipient": ("@example",)}, "to @ours.example"),
        ({"recipient": ("x@y.example", "alias@ours.example")}, {"recipient": ("alias",)}, "to alias@ours.example"),
        ({"mailbox": ("support",)}, {"mailbox": ("imap",)}, "came by support"),
        ({"mailbox": ("imap:support",)}, {"mailbox": ("alerts",)}, "came by imap:support"),
        ({"kind": (Kind.HUMAN, Kind.LIST)}, {"kind": (Kind.BOUNCE,)}, "kind list"),
        (
            {"disposition": (Disposition.QUESTION,)},
            {"disposition": (Disposition.WORK,)},
            "disposition question",
        ),
        ({"language": ("cs",)}, {"language": ("en",)}, "language cs"),
        ({"has_attachment": True}, {"has_attachment": False}, "a file hangs on it"),
        ({"trust_at_least": Trust.WEAK}, {"trust_at_least": Trust.VERIFIED}, "the sender is weak"),
        ({"trust_at_least": Trust.UNVERIFIED}, {"trust_at_least": Trust.VERIFIED}, "the sender is weak"),
        ({"in_project": ("OPS", "SHOP")}, {"in_project": ("OPS",)}, "ticket of the thread in SHOP"),
    ],
)
def test_each_condition_alone(holds: dict[str, object], fails: dict[str, object], told: str) -> None:
    """Each holds where one of its values fits, says why, and fails where none does."""
    good = list(findings(FACTS, RoutingRule(name="r", **holds)))  # type: ignore[arg-type]  # by column
    bad = list(findings(FACTS, RoutingRule(name="r", **fails)))  # type: ignore[arg-type]  # by column

    assert [(one.holds, one.why) for one in good] == [(True, told)]
    assert [one.holds for one in bad] == [False]


def test_logos_are_no_attachments() -> None:
    """A small picture is a logo; a forged sender is below every trust; a mail of nowhere has no mailbox but its source."""
    bare = replace(
        FACTS,
        message=replace(FACTS.message, attachments=(file("logo.png", 900, "image/png"),)),
        proof=Proof(trust=Trust.FAILED),
        source="file",
        disposition=None,
    )

    def held(**conditions: object) -> list[bool]:
        return [one.holds for one in findings(bare, RoutingRule(name="r", **conditions))]  # type: ignore[arg-type]

    assert held(has_attachment=False) == [True]
    assert held(trust_at_least=Trust.UNVERIFIED) == [False]
    assert held(mailbox=("file",)) == [True]
    assert held(disposition=(Disposition.WORK,)) == [False]


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("Dobrý den, nemohu se přihlásit do aplikace a nevím, co mám dělat. Děkuji.", ("cs",)),
        ("The invoice is empty and we cannot work with it.", ("en",)),
        ("12345", ()),
    ],
)
def test_the_language_of_a_mail(text: str, languages: tuple[str, ...]) -> None:
    """The language is told by the words that most of its texts have; without any, none is claimed."""
    found = languages_of(Message(reply=Untrusted(text), text=Untrusted(text)))

    assert set(languages) <= set(found)
    assert bool(found) == bool(languages)
