"""The table of dispositions with its defaults."""

from dataclasses import replace

from triage.config.dispositions.table import DEFAULTS, DispositionTable, SenderList
from triage.domain.findings import Disposition, DispositionAction, DispositionFinding


def test_every_disposition_has_a_default() -> None:
    """Nothing is undecided, and no unwanted mail makes a ticket."""
    writes = {
        name for name, action in DEFAULTS.items() if action in {DispositionAction.TICKET, DispositionAction.COMMENT}
    }

    assert set(DEFAULTS) == set(Disposition)
    assert not writes & {Disposition.SPAM, Disposition.NOT_FOR_US, Disposition.NEWSLETTER, Disposition.UNSURE}


def test_a_table_that_names_one() -> None:
    """The others keep their default."""
    table = DispositionTable(actions={Disposition.NOT_FOR_US: DispositionAction.PERSON})

    assert table.action_of(Disposition.NOT_FOR_US) is DispositionAction.PERSON
    assert table.action_of(Disposition.SPAM) is DispositionAction.IGNORE


def test_what_is_settled_is_no_comment() -> None:
    """A status about no known ticket is ignored where it leaves nothing to do; an admin who wants it otherwise gets that."""
    status = DispositionFinding(disposition=Disposition.STATUS, confidence=0.9)
    settled = replace(status, settled=True)
    asked = DispositionTable(actions={Disposition.STATUS: DispositionAction.PERSON})

    assert DispositionTable().action_about(status) is DispositionAction.COMMENT
    assert DispositionTable().action_about(settled) is DispositionAction.IGNORE
    assert asked.action_about(settled) is DispositionAction.PERSON


def test_no_address() -> None:
    """A mail without a sender is on no list."""
    assert SenderList(entries=frozenset({"x.example"})).match("") == ""
