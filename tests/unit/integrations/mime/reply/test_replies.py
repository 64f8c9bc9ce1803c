"""Replies as many programs write them, in full and with either half alone: the words of the person come out."""

import json
import re
from collections import Counter
from email import message_from_bytes
from email.message import Message as Part
from email.policy import compat32
from typing import Any

import pytest

from cli.evaluate.mail import evaluated
from integrations.mime.message import message_of
from tests.conftest import ROOT

SEEN = ROOT / "tests/corpus/replies/seen"
ROWS = [json.loads(line) for line in (SEEN / "manifest.jsonl").read_text("utf-8").splitlines()]
PARTS = {"text/plain", "text/html"}


def words(text: str) -> Counter[str]:
    """The words of a text."""
    return Counter(re.findall(r"\w+", text))


def without(part: Part, dropped: str) -> bool:
    """Remove the alternative of this type; tell whether there was one beside another."""
    inside: Any = part.get_payload()
    if not part.is_multipart():
        return False
    kinds = {one.get_content_type() for one in inside}
    if part.get_content_type() == "multipart/alternative" and kinds >= PARTS:
        part.set_payload([one for one in inside if one.get_content_type() != dropped])
        return True
    return sum(without(one, dropped) for one in inside) > 0


def test_most_replies_are_exact() -> None:
    """Nine of ten are what the person wrote; most others keep a question above its answer."""
    replies = evaluated(SEEN / "manifest.jsonl")[0].reply

    assert (replies.cases, replies.empty) == (len(ROWS), 0)
    assert (replies.exact or 0) >= 126
    assert (replies.exact or 0) + (replies.but_quotes or 0) >= 134


@pytest.mark.parametrize("dropped", ["", *sorted(PARTS)])
def test_no_words_of_a_person_are_lost(dropped: str) -> None:
    """Whichever half of the mail is there, all words come out."""
    lost: list[str] = []
    for row in ROWS:
        raw = (SEEN / "files" / row["file"]).read_bytes()
        tree = message_from_bytes(raw, policy=compat32)
        if dropped and not without(tree, dropped):
            continue
        expected = row["expect"]["reply"]
        texts = [expected] if isinstance(expected, str) else expected
        reply = message_of(tree.as_bytes() if dropped else raw).reply
        lost += [row["file"]] if all(words(text) - words(reply) for text in texts) else []

    assert lost == []
