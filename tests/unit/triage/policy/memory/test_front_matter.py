"""Notes as files: what is written is read again, what people wrote stays, and what is broken names its line."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from triage.domain.memory.notes import (
    CommitmentStatus,
    Note,
    NoteChange,
    NoteKind,
    NoteProblem,
    NoteStatus,
    NoteTrust,
    Quadrant,
)
from triage.domain.untrusted import Untrusted
from triage.policy.memory.front_matter import note_of, text_of
from triage.policy.memory.notes.yaml_keys import BrokenError

WRITTEN = NoteChange(
    at=datetime(2026, 11, 22, 10, tzinfo=UTC), by="memory_writer", what="created from case-17: as said"
)
FULL = Note(
    id="commitments/2026-11-22-send-the-audit-report",
    kind=NoteKind.COMMITMENT,
    title='Send the audit report: "final" version',
    text=Untrusted("I will send it by Friday.\n\nSee [[decisions/audit]]."),
    created=date(2026, 11, 22),
    updated=date(2026, 11, 23),
    people=("ann@acme.example", "Jörg Müller"),
    tags=("audit", "2026"),
    owner="ann@acme.example",
    quadrant=Quadrant.DO,
    priority_justification="due: Friday",
    deadline=date(2026, 11, 27),
    status=NoteStatus.CLOSED,
    commitment_status=CommitmentStatus.CONFIRMED,
    source_emails=("case-17",),
    source_memories=("decisions/audit",),
    source_senders=("ann@acme.example",),
    related_to=("insights/a", "insights/b"),
    tickets=("HARB-12",),
    trust=NoteTrust.VERIFIED,
    pii=("address", "name"),
    changes=(WRITTEN,),
)
BY_HAND = """---
# Ann's own order
title:   The plan   # as agreed
aliases: [plan, {a: [1, 2]}]
people:
    - ann@acme.example
    # and Bob, who joined later
    - bob@acme.example
cssclass: wide
status: active
related_to: [[insights/a]]
---
# The plan

- [ ] ask Kim
"""


def read(text: str, note: str = "decisions/plan") -> Note:
    """The note in a text that can be read."""
    found = note_of(note, text)
    assert isinstance(found, Note), found
    return found


def test_a_note_is_read_as_it_was_written() -> None:
    """Every field, and the smallest note there is; writing it again changes nothing."""
    text = text_of(FULL)
    bare = Note(id="people/ann", kind=NoteKind.PERSON, title="Ann")

    assert read(text, FULL.id) == FULL
    assert text_of(FULL, text) == text
    assert read(text_of(bare), bare.id) == bare
    assert text.startswith('---\ntitle: "Send the audit report: \\"final\\" version"\ntype: commitments\n')
    assert '\nsource_memories:\n  - "[[decisions/audit]]"\n' in text


def test_any_text_is_read_as_it_was_written() -> None:
    """Words that YAML reads as something else, quotes, emoji, other scripts, and characters that a file cannot hold."""
    pieces = [
        "no",
        "1e3",
        "- x",
        "a: b",
        "#",
        "'",
        '"',
        "\\",
        "🙂",
        "[[x]]",
        "Ж",
        "---",
        "{",
        "|",
        "2026-11-22",
        "ﷺ",
        "~",
    ]
    dice = random.Random(13)
    for _ in range(300):
        title = " ".join(dice.choices(pieces, k=dice.randint(1, 4)))
        note = replace(
            FULL, title=title, owner=dice.choice(pieces[:-1]), tags=(title,), text=Untrusted(f"{title}\n---")
        )

        assert read(text_of(note), note.id) == note
    hidden = replace(FULL, title="a\x00b\n\ud800c", text=Untrusted("x\x00\x1b[31m\u202ey"))

    assert (read(text_of(hidden), FULL.id).title, read(text_of(hidden), FULL.id).text) == ("ab c", "x[31my")


def test_what_people_wrote_stays_byte_for_byte() -> None:
    """Keys of their own, comments, order and blanks; only the value that changed is another one."""
    note = read(BY_HAND)
    closed = replace(note, status=NoteStatus.CLOSED)
    grown = replace(note, people=(*note.people, "kim@acme.example"), changes=(WRITTEN,))

    assert (note.title, note.people, note.related_to, note.text) == (
        "The plan",
        ("ann@acme.example", "bob@acme.example"),
        ("insights/a",),
        "# The plan\n\n- [ ] ask Kim",
    )
    assert text_of(note, BY_HAND) == BY_HAND
    assert text_of(closed, BY_HAND) == BY_HAND.replace("status: active", "status: closed")
    assert text_of(grown, BY_HAND) == BY_HAND.replace(
        "    - bob@acme.example\n", "    - bob@acme.example\n    - kim@acme.example\n"
    ).replace(
        "[[insights/a]]\n---",
        '[[insights/a]]\nchanges:\n  - "2026-11-22T10:00:00+00:00 memory_writer: created from case-17: as said"\n---',
    )
    assert text_of(replace(note, people=()), BY_HAND) == BY_HAND.replace(
        "people:\n    - ann@acme.example\n    # and Bob, who joined later\n    - bob@acme.example\n", ""
    )
    assert "[ ] ask Lee" in text_of(replace(note, text=Untrusted("- [ ] ask Lee")), BY_HAND)


@pytest.mark.parametrize(
    "text", ["# Ann\r\n\r\nour boss\r\n", "\ufeff---\r\ntitle: Ann\r\nmine: 1\r\n---\r\nour boss\r\n"]
)
def test_line_ends_and_marks_stay(text: str) -> None:
    """Files of other systems keep theirs, also in the lines that are ours."""
    note = read(text, "people/ann")
    changed = text_of(replace(note, owner="Kim"), text)

    assert note.title == "Ann"
    assert text_of(note, text) == text
    assert read(changed, "people/ann") == replace(note, owner="Kim")
    assert changed.count("\n") == changed.count("\r\n")
    assert changed.startswith(text[0] if text[0] == "\ufeff" else "---")
    assert changed.endswith("our boss\r\n")


def test_a_file_without_front_matter_is_a_note() -> None:
    """As people write them; it is called as its file is, and nobody has proven anything about it."""
    note = read("just a line", "insights/2026/what we saw")

    assert (note.title, note.kind, note.trust) == ("what we saw", NoteKind.INSIGHT, NoteTrust.UNTRUSTED)
    assert text_of(replace(note, text=Untrusted("")), "just a line") == ""
    assert read("---\n---\n", "people/x").title == "x"
    assert read("---\ntags: one\nowner: [kim]\ndeadline:\npeople: [ann, ~, '']\n...\nx", "people/x").tags == ("one",)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("---\ntitle: a\n", 1, "does not end"),
        ("---\ntitle: a\nx: [1\n---\n", 4, "is no YAML"),
        ("---\ntitle: a\nx: \x01\n---\n", 2, "is no YAML"),
        ("---\ntitle: a\nowner: b\ntitle: c\n---\n", 4, "title stands there twice"),
        ("---\ntitle: a\nstatus: done\n---\n", 3, "'done' is none of active, closed, expired, dismissed"),
        ("---\n\ndeadline: friday\n---\n", 3, "'friday' is no date"),
        ("---\nchanges: [x]\n---\n", 2, "'x' is no line such as"),
        ("---\nchanges: ['2026-11-22T29:00:00Z a: b']\n---\n", 2, "hour must be"),
        ("---\ntitle: [a, b]\n---\n", 2, "title must be one text"),
        ("---\ntitle: {a: b}\n---\n", 2, "title must be one text"),
        ("---\npeople: [{a: b}]\n---\n", 2, "people must be a list of texts"),
        ("---\n- a\n---\n", 2, "must be `key: value` lines"),
        ("---\n{a: b}\n---\n", 2, "must be `key: value` lines"),
        ("---\n[a]: b\n---\n", 2, "a key must be one word"),
        (f"---\nmine:\n  {'- ' * 60_00}x\n---\n", 3, "at most 12 levels"),
        (f"---\nx: {'[' * 100_000}\n---\n", 2, "larger than 64 KB"),
    ],
)
def test_what_is_broken_names_its_line(text: str, line: int, what: str) -> None:
    """A note that people have broken is a problem, and is never written over."""
    found = note_of("decisions/plan", text)

    assert isinstance(found, NoteProblem)
    assert (found.path, found.line) == ("decisions/plan.md", line)
    assert what in found.what
    with pytest.raises(BrokenError, match=r"decisions/plan\.md:\d+: "):
        text_of(Note(id="decisions/plan", kind=NoteKind.DECISION, title="x"), text)


def test_a_note_stands_in_a_folder_of_ours() -> None:
    """What lies elsewhere is no note."""
    assert note_of("templates/x", "x") == NoteProblem(
        path="templates/x.md",
        line=1,
        what="notes stand in one of action_required, commitments, decisions, insights, people",
    )


def test_values_of_people_that_we_do_not_read() -> None:
    """Blocks of text, anchors and nested values of their own keys stay; a time without a zone is UTC."""
    text = "---\nabout: |\n  a\n  b\nx: &x {k: [v]}\nz: *x\nchanges:\n- '2026-11-22T10:00 kim: wrote it'\ntitle: t\n---\nx\n"
    note = read(text)
    more = text_of(replace(note, title="u", changes=(*note.changes, WRITTEN)), text)

    assert note.changes[0].at == datetime(2026, 11, 22, 10, tzinfo=UTC)
    assert more.startswith("---\nabout: |\n  a\n  b\nx: &x {k: [v]}\nz: *x\nchanges:\n")
    assert read(more).changes == (*note.changes, WRITTEN)
    assert text_of(note, text) == text
