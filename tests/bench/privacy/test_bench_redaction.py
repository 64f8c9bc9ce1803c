"""What stays of addresses, numbers and names in what a model would see of real mails, and what is replaced wrongly in trackers."""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrations.mime.message import message_of
from integrations.mime.tree import starts_with_fields
from triage.domain.conversation import ChatMessage, Role
from triage.domain.mail import Message
from triage.policy.privacy.redaction import redacted
from triage.policy.privacy.secrets import CARD, IBAN, card_in, iban_in

# Looser than the patterns that replace, and written apart from them: they find what those miss.
ADDRESS = re.compile(r"[^\s<>()\[\]\",;:]+@[^\s<>()\[\]\",;:@]+\.[^\W\d_]{2,}")
TELEPHONE = re.compile(
    r"(?:\+[1-9]|(?:tel|phone|mobile|fax|fon|cell)[^\n\d+]{0,12}(?:\+[1-9]|[(\d]))[\d ()./\u00a0-]{6,}\d", re.IGNORECASE
)
LETTERS = re.compile(r"[^\W\d_]{3,}")
TRACKERS = ("bugs-hadoop/issues.jsonl.gz", "assign-eclipse-platform/bugs.jsonl.gz")
REPORTS = 3000


def shown(mail: Message) -> str:
    """The mail as prompts have it: head, blank line, text."""
    to = ", ".join(map(str, (*mail.to, *mail.cc)))
    return f"From: {mail.sender or ''}\nTo: {to}\nSubject: {mail.subject}\n\n{mail.text[:20_000]}"


def counted(text: str, names: frozenset[str]) -> Counter[str]:
    """How often each kind stands in a text; `names` are the words of the sender's own name."""
    return Counter(
        {
            "mail addresses": len(ADDRESS.findall(text)),
            "phone numbers": len(TELEPHONE.findall(text)),
            "IBANs": sum(bool(iban_in(found)) for found in IBAN.finditer(text)),
            "card numbers": sum(bool(card_in(found)) for found in CARD.finditer(text)),
            "words of the sender's name": sum(word in names for word in re.findall(r"[^\W_]+", text)),
        }
    )


def names_of(mail: Message) -> frozenset[str]:
    """The words of the From header's name, as written."""
    return (
        frozenset(LETTERS.findall(mail.sender.name)) if mail.sender and " " in mail.sender.name.strip() else frozenset()
    )


def seen(text: str, *, personal: bool) -> str:
    """What the model sees of it."""
    conversation = (ChatMessage(role=Role.SYSTEM, text=""), ChatMessage(role=Role.USER, text=text))
    return redacted(conversation, personal=personal)[0][1].text


def reports(shared: Path) -> Iterator[str]:
    """Descriptions of bug reports, which hardly hold a person's data."""
    for name in TRACKERS:
        with gzip.open(shared / name, "rt", encoding="utf-8") as file:
            for _, line in zip(range(REPORTS), file, strict=False):
                yield json.loads(line).get("description") or ""


@pytest.mark.bench
def test_what_stays_in_real_mails(shared_data: Path) -> None:
    """At most one address in a hundred, and one name or number in ten; what stays is counted by patterns of its own."""
    files = sorted(path for path in shared_data.glob("mail-*/files/*") if path.parent.parent.name != "mail-spam")
    mails = [message_of(raw) for raw in (path.read_bytes() for path in files) if starts_with_fields(raw)]
    total: dict[str, Counter[str]] = {name: Counter() for name in ("none", "addresses", "personal")}
    for mail in mails:
        text, names = shown(mail), names_of(mail)
        total["none"] += counted(text, names)
        total["addresses"] += counted(seen(text, personal=False), names)
        total["personal"] += counted(seen(text, personal=True), names)

    print(f"\n{len(mails)} real mails: what a model sees by MODEL_REDACTION")
    print(f"{'':<28}{'none':>8}{'addresses':>11}{'personal':>10}{'stays':>8}")
    for kind, before in total["none"].items():
        after = total["personal"][kind]
        print(f"{kind:<28}{before:8}{total['addresses'][kind]:11}{after:10}{100 * after / before:7.1f}%")

    left, all_ = total["personal"], total["none"]
    assert left["mail addresses"] <= 0.01 * all_["mail addresses"]
    assert left["phone numbers"] <= 0.1 * all_["phone numbers"]
    assert left["words of the sender's name"] <= 0.1 * all_["words of the sender's name"]
    assert left["IBANs"] == left["card numbers"] == 0


@pytest.mark.bench
def test_what_is_replaced_in_bug_reports(shared_data: Path) -> None:
    """Stack traces, versions, hashes and dates are no phone numbers: fewer than one in a hundred reports has one replaced."""
    replaced, count = Counter[str](), 0
    for text in reports(shared_data):
        count += 1
        replaced.update(
            {kind for kind in re.findall(r"\[([A-Z]+)_\d+\]", seen(text, personal=True)) if f"[{kind}_" not in text}
        )
    print(f"\n{count} reports of trackers, those with a replacement: {dict(replaced)}")

    assert replaced["PHONE"] + replaced["CARD"] + replaced["IBAN"] <= 0.01 * count
