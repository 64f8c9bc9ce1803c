"""Writes the pages of links as plain HTML, without scripts; everything that a mail may have written is escaped."""

from html import escape
from typing import Final

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.text.soft_breaks import soft_wrapped
from triage.domain.text.visible import visible
from triage.policy.approvals.edit_form import edited_text
from triage.policy.channels.signed_links import LinkAnswer
from triage.policy.decision.proposals import TEXTS, asker_of, change_of, lines_of, why_of
from triage.services.channels.links import Offer

SHOWN: Final = 100_000
"""Characters of a text that are shown; proposals are shorter."""
STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem;color:#1d2430;background:#fff}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f3f5f8;padding:1rem;border-radius:6px}"
    "dt{color:#5a6472;margin-top:.8rem}dd{margin:0}"
    "button{font:inherit;padding:.6rem 1.6rem;border:0;border-radius:6px;color:#fff;background:#1f6f43}"
    "button.no{background:#a3312a}"
    "@media(prefers-color-scheme:dark){body{color:#e6e9ee;background:#14181e}pre{background:#1f252e}dt{color:#9aa5b4}}"
)


def offer_page(offer: Offer) -> str:
    """Return the page that shows the exact effect and a button."""
    approval, yes = offer.approval, offer.pledge.answer is LinkAnswer.YES
    head = f"Do this? (no. {approval.id})" if yes else f"Reject this? (no. {approval.id})"
    button = "Yes, do exactly this" if yes else "No, do nothing"
    kind = "" if yes else ' class="no"'
    form = f'<form method="post"><button{kind}>{button}</button></form>'
    person = f"<p>You decide as {_text(offer.pledge.person)}.</p>"
    return _page(head, f"{_facts(offer)}{person}{form}{_mail(offer.case)}")


def decided_page(approval: Approval) -> str:
    texts = {
        ApprovalState.ACCEPTED: "Accepted. It is being carried out.",
        ApprovalState.REJECTED: "Rejected. Nothing is done.",
        ApprovalState.OPEN: "Your yes is recorded. One more person has to accept it.",
    }
    return _page(f"No. {approval.id}", f"<p>{texts.get(approval.state, _text(approval.state.value))}</p>")


def refused_page(why: str) -> str:
    """Return the page that says why nothing was decided."""
    return _page("Nothing was decided", f"<p>{_text(why)}</p>")


def _facts(offer: Offer) -> str:
    approval, to = offer.approval, offer.recipients.people if offer.recipients else ()
    facts = (
        *((("A letter to", _text(", ".join(to))),) if to else ()),
        ("What would be done", f"<pre>{_text(_effect(approval))}</pre>"),
        ("Why a person decides", _text(why_of(approval))),
        ("Asked by", _text(asker_of(approval))),
        ("Mail", _text(approval.case)),
    )
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts) + "</dl>"


def _mail(case: Case) -> str:
    """Return the mail that the decision is about; empty of one that could not be read."""
    if case.message is None:
        return ""
    mail = case.message
    return f"<h2>{_text(mail.subject) or 'The mail'}</h2><pre>{_text(soft_wrapped(mail.reply or mail.text))}</pre>"


def _effect(approval: Approval) -> str:
    """Return the effect with all its words: a text with its own lines, an edited call as the arguments that would run."""
    if approval.edited:
        return f"{approval.tool}\n{edited_text(approval)}"
    if approval.field in TEXTS:
        return f"{approval.ticket} {approval.field}:\n\n".lstrip() + lines_of(approval.becomes)
    return change_of(approval, SHOWN)


def _text(text: str) -> str:
    return escape(visible(text))


def _page(head: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta name="robots" content="noindex"><title>{escape(head)} · Triage</title><style>{STYLE}</style></head>'
        f"<body><h1>{escape(head)}</h1>{body}</body></html>"
    )
