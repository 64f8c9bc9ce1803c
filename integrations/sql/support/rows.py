"""Converts rows of conversations."""

from dataclasses import replace

from integrations.sql.database.rows import AnyRow, case_name
from triage.domain.support.dialogues import Author, Dialogue, DialogueMessage
from triage.domain.untrusted import Untrusted


def dialogue_of(row: AnyRow) -> Dialogue:
    """Return the conversation of a row; when a person has answered is the row's own."""
    known: Dialogue = row.data
    return replace(known, id=row.id, respond_by=row.respond_by, opened_at=row.opened_at, changed_at=row.changed_at)


def message_of(row: AnyRow) -> DialogueMessage:
    return DialogueMessage(role=Author(row.role), text=Untrusted(row.text), case=case_name(row.case_id), at=row.at)
