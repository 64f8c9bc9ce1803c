"""Mails by people about mail trouble, and mails by programs: the first are never set aside, the second make hardly a ticket."""

from collections import Counter
from functools import cache

import pytest
import yaml

from cli.wiring.mail import message_of
from tests.conftest import ROOT
from triage.config.dispositions.table import DispositionTable
from triage.policy.decision.disposition.disposition import Facts, disposition_of
from triage.policy.sender.kind import kind_of
from triage.policy.text.cues import cues_of

FOLDER = ROOT / "tests/corpus/about_mail"


@cache
def ends() -> dict[str, Counter[str]]:
    """How many mails of people and of programs come to which end, as mails of strangers."""
    found: dict[str, Counter[str]] = {"a person": Counter(), "automatic": Counter()}
    for path in sorted(FOLDER.glob("*.eml")):
        message = message_of(path.read_bytes())
        facts = Facts(message=message, kind=kind_of(message), cues=cues_of(message, (), "DESK"))
        action = DispositionTable().action_of(disposition_of(facts).disposition).value
        found[yaml.safe_load(path.with_suffix(".yaml").read_text("utf-8"))["why"]][action] += 1
    return found


@pytest.mark.no_cover
def test_nobody_who_writes_about_mail_is_ignored() -> None:
    """Whatever notice, bounce or lure they quote; hardly any waits for another person."""
    assert ends()["a person"]["ignore"] == 0
    assert ends()["a person"]["ticket"] >= 38


@pytest.mark.no_cover
def test_programs_make_hardly_a_ticket() -> None:
    """A field proves most of them; where only words do, a person looks; a part-time notice without either became a ticket."""
    assert ends()["automatic"]["ignore"] >= 29
    assert ends()["automatic"]["ticket"] <= 2
