"""Lists and uploads attachments; names and sizes are checked before anything is sent."""

import re
from dataclasses import replace
from typing import Final

from integrations.jira.http.errors import JiraAnswer, well_formed
from integrations.jira.http.refusals import settled
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.shapes import id_of
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected, WriteUnconfirmed
from triage.domain.text.visible import visible
from triage.domain.tickets import Attached, Upload
from triage.domain.untrusted import Untrusted

NAME_LIMIT: Final = 120
_LONGEST_ENDING: Final = 12

# Data Center refuses these, which Windows forbids in file names.
_FORBIDDEN: Final = re.compile(r'[":?*<|>]')
_TYPE: Final = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}", re.ASCII)


async def attached(session: JiraSession, ours: CreatedTickets, key: str) -> tuple[Attached, ...]:
    me = await session.me()
    issue = await ours.issue(session, key, "attachment")
    with well_formed("attachments"):
        return tuple(_attached(each, me) for each in issue["fields"].get("attachment") or ())


def _attached(shape: Json, me: str) -> Attached:
    return Attached(
        id=str(shape["id"]),
        name=Untrusted(str(shape["filename"])),
        size=int(shape["size"]),
        ours=id_of(shape.get("author")) == me,
    )


async def attach(session: JiraSession, ours: CreatedTickets, key: str, upload: Upload, limit: int) -> str:
    """Attach a file of at most `limit` bytes; return its id. Raises `TrackerRejected`, `WriteUnconfirmed`."""
    await ours.sure(session, key)
    _check_size(upload, limit)
    fit = replace(upload, name=file_name(upload.name), content_type=_content_type(upload.content_type))
    answer = await session.write("POST", f"issue/{key}/attachments", fit)
    stored = await settled(session, ours, key, answer, fit.name, "too large, or our account may not attach files")
    return _id_of(stored, answer)


def _check_size(upload: Upload, limit: int) -> None:
    if not limit:
        raise TrackerRejected(
            problems={"attachment": "attachments are switched off in this Jira, or hidden from our account"}
        )
    if len(upload.content) > limit:
        problem = f"{len(upload.content)} bytes, and Jira takes {limit} at most"
        raise TrackerRejected(problems={file_name(upload.name): problem})


def _id_of(stored: Json, answer: JiraAnswer) -> str:
    """Return the file's id. Raises `WriteUnconfirmed` for a success without one."""
    if isinstance(stored, list) and stored and isinstance(stored[0], dict) and stored[0].get("id"):
        return str(stored[0]["id"])
    raise WriteUnconfirmed(detail=f"{answer.status}: attached, but the answer names no file")


def file_name(name: str) -> str:
    """Return a safe name: no folders or invisible characters, at most `NAME_LIMIT` long, extension kept."""
    seen = "".join(char if char.isprintable() else " " * char.isspace() for char in visible(name))
    base = _FORBIDDEN.sub("_", re.split(r"[/\\]", seen)[-1])
    base = visible(" ".join(base.split())).rstrip(". ")
    stem, dot, ending = base.rpartition(".")
    if len(base) > NAME_LIMIT and dot and len(ending) <= _LONGEST_ENDING:
        base = f"{stem[: NAME_LIMIT - len(ending) - 1].rstrip()}.{ending}"
    return base[:NAME_LIMIT] or "attachment"


def _content_type(media_type: str) -> str:
    """Return the type if it is a plain one, since it goes into a header of the form."""
    return media_type if _TYPE.fullmatch(media_type) else "application/octet-stream"
