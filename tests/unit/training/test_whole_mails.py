"""The whole mails that classifiers are trained with."""

import re
from collections import Counter

from tests.training.delicate import DELICATE
from tests.training.disposition import LABELS, LETTERS
from tests.training.whole_mails import FOLDER, whole_mails
from triage.config.ticket.severity import PRIORITIES
from triage.policy.decision.disposition.text_classes import LETTER, MAIL

HOST = re.compile(r"(?:@|https?://)((?:[a-z0-9-]+\.)+[a-z]{2,})")


def test_each_mail_says_what_it_is() -> None:
    """It has one of the classes; a mail for us has type and priority, others have none; none stands there twice."""
    mails = list(whole_mails())

    assert len({(one.subject, one.text) for one in mails}) == len(mails) >= 4_000
    assert set(Counter(one.label for one in mails)) == {*LABELS} - {LETTER}
    assert {one.type for one in mails if one.label == MAIL} == {"bug", "feature", "support", "general"}
    assert {one.priority for one in mails if one.label == MAIL} == set(PRIORITIES)
    assert {(one.type, one.priority) for one in mails if one.label != MAIL} == {("", "")}


def test_mails_whose_sort_is_hard_to_tell() -> None:
    """They have all classes, many of them for us and many letters to others; none stands there twice."""
    mails = list(whole_mails(LETTERS))
    labels = Counter(one.label for one in mails)

    assert len({(one.subject, one.text) for one in mails}) == len(mails) >= 1_400
    assert set(labels) == set(LABELS)
    assert labels[MAIL] >= 600
    assert labels[LETTER] >= 250


def test_nobody_real_is_named() -> None:
    """Addresses and links are of domains that nobody can own."""
    hosts = {
        host
        for folder in (FOLDER, LETTERS, DELICATE)
        for path in folder.glob("*.jsonl")
        for host in HOST.findall(path.read_text("utf-8"))
    }

    assert hosts
    assert [
        host
        for host in hosts
        if not re.search(r"(?:^|\.)(?:example|test|invalid|local|lan|intern|internal)(?:\.(?:com|net|org))?$", host)
    ] == []
