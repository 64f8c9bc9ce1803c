"""One message for each kind: a notice in full, many as a digest."""

from dataclasses import replace

from triage.domain.channels.notices import Notice, NoticeKind, NoticeSeverity
from triage.policy.channels.bulletins import LONGEST, MOST, ROOM, bulletin_of, recovery_of


def dead(number: int) -> Notice:
    """A notice about a mail."""
    return Notice(kind=NoticeKind.DEAD_CASE, text=f"Mail {number}", cure="triage show CASE", case=f"case-{number}")


def test_one_notice_is_told_in_full() -> None:
    """Its text, what it is about, and the cure."""
    told = bulletin_of((replace(dead(1), ticket="HARB-7"),))

    assert told.title == "Triage: mail needs a person"
    assert told.body == "Mail 1 (case-1, HARB-7)\n→ triage show CASE"
    assert told.severity is NoticeSeverity.WARNING


def test_many_notices_are_a_digest() -> None:
    """They are counted, the first are listed, the cure stands once, and the worst severity counts."""
    worst = Notice(kind=NoticeKind.DEAD_CASE, severity=NoticeSeverity.FAILURE, text="No cure")
    told = bulletin_of((*(dead(number) for number in range(MOST + 4)), worst))

    assert told.title == f"Triage: mail needs a person ({MOST + 5})"
    lines = told.body.splitlines()
    assert lines[0] == "- Mail 0 (case-0)"
    assert lines[MOST:] == ["- and 5 more", "→ triage show CASE"]
    assert told.severity is NoticeSeverity.FAILURE


def test_a_mails_words_disguise_nothing() -> None:
    """Invisible characters go, and a long text is cut: later where few notices share the room, as the groups of a weekly digest do."""
    told = bulletin_of((replace(dead(1), text="a\u202eb" + "x" * 10_000, cure="", case=""),))

    assert told.body.startswith("abx")
    assert told.body.endswith("…")
    assert len(told.body) == ROOM - 1
    four = bulletin_of([replace(dead(1), text="x" * 10_000, cure="", case="")] * 4)
    many = bulletin_of([replace(dead(1), text="x" * 10_000, cure="", case="")] * MOST)
    assert [len(line) for line in four.body.splitlines()] == [2 + ROOM // 4] * 4
    assert [len(line) for line in many.body.splitlines()] == [2 + LONGEST] * MOST


def test_links() -> None:
    """Links stand below their notice."""
    told = bulletin_of((replace(dead(1), links="yes: https://a\nno: https://b", case=""), dead(2)))

    assert told.body.splitlines()[:4] == ["- Mail 1", "  yes: https://a", "  no: https://b", "- Mail 2 (case-2)"]


def test_recovery() -> None:
    """A state that has ended is told as good news."""
    ended = Notice(kind=NoticeKind.MAILBOX, severity=NoticeSeverity.FAILURE, text="No mail comes", ticket="HARB-1")

    assert recovery_of(ended).kind is NoticeKind.RECOVERED
    assert recovery_of(ended).severity is NoticeSeverity.INFO
    assert recovery_of(ended).text == "It works again: No mail comes"
    assert ended.lasting
    assert not recovery_of(ended).lasting
