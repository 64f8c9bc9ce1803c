"""Adds, edits and finds comments: marked, and internal in service projects."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Final

from integrations.jira.http.errors import JiraAnswer, problems_of, well_formed, written
from integrations.jira.http.probe import last_line
from integrations.jira.http.session import JiraSession
from integrations.jira.http.wire import Params
from integrations.jira.issue.draft import PROPERTY, SHORT_LIMIT, property_value
from integrations.jira.markup.text import TEXT_LIMIT, length
from integrations.jira.shapes import Site, id_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerRejected, TriageError, WriteUnconfirmed
from triage.domain.tickets import Mark, Panel, is_mark

INTERNAL: Final = "sd.public.comment"
"""The only property that hides a comment from customers; `visibility` does not."""

_SECRET: Final = {"key": INTERNAL, "value": {"internal": True}}
_FULL: Final = re.compile(r"(?:limit|maximum).{0,80}comments|comments.{0,80}(?:limit|maximum)", re.IGNORECASE)
_CURE: Final = (
    "Jira does not take the comment as an internal one, so it was not written: customers would read it. Give our "
    "account the agent's rights in this project, or set JIRA_PUBLIC_COMMENTS=true"
)


async def comment(
    session: JiraSession, key: str, markdown: str, mark: Mark, panel: Panel | None = None, *, internal: bool
) -> str:
    """Add a comment, plainer after each refusal; return its id. Raises `TrackerRejected` if it cannot be internal."""
    site = await session.site()
    trouble = TrackerRejected(problems={})
    for body in _bodies(site, markdown, mark, panel, internal=internal):
        answer = await session.write("POST", f"issue/{key}/comment", body)
        try:
            _check_room(answer, key)
            made = written(answer, key)
        except TrackerRejected as e:
            trouble = e
            if {"comments", "permission"} & e.problems.keys():
                break
            continue
        if internal:
            await _keep_inside(session, made)
        return _id_of(made)
    if internal and re.search(r"propert|internal|sd\.public", repr(trouble.problems), re.IGNORECASE):
        raise TrackerRejected(problems={"comment": _CURE, **trouble.problems})
    raise trouble


async def edit(session: JiraSession, key: str, number: str, markdown: str, *, internal: bool) -> bool:
    """Replace our comment's text, plainer after each refusal; return False if there is none that we may change.

    A PUT keeps properties that it does not name, so our mark stays; a mark in the last line is sent again. On Cloud
    `notifyUsers=false` prevents mails to watchers, but needs an administrator; Data Center has no such parameter.
    """
    site, path = await session.site(), f"issue/{key}/comment/{number}"
    try:
        standing = await session.read("GET", path, about=key)
    except TicketGone:
        return False
    with well_formed("comment"):
        ours, now, label = (
            id_of(standing["author"]) == await session.me(),
            standing["body"],
            last_line(standing["body"]),
        )
    if not ours:
        return False
    secret: Json = {"properties": [_SECRET]} if internal else {}
    for limit, params in _edits(site, markdown):
        text = site.text(markdown, limit, label if is_mark(label) else "")
        if now == text:
            return True
        answer = await session.write("PUT", path, {"body": text, **secret}, params)
        try:
            made = written(answer, key)
        except (TrackerRejected, TicketGone):
            continue
        if internal:
            await _keep_inside(session, made)
        return True
    return False


def _edits(site: Site, markdown: str) -> Iterator[tuple[int, Params]]:
    """Yield limit and parameters per try: first without mails to watchers, then with; whole before short."""
    if site.cloud:
        yield TEXT_LIMIT, {"notifyUsers": "false"}
    yield from ((limit, None) for limit in _limits(markdown))


def _limits(markdown: str) -> tuple[int, ...]:
    """Return the limits to try, the longest first."""
    return (TEXT_LIMIT, SHORT_LIMIT) if length(markdown) > SHORT_LIMIT else (TEXT_LIMIT,)


def _bodies(site: Site, markdown: str, mark: Mark, panel: Panel | None, *, internal: bool) -> Iterator[Json]:
    """Yield the bodies to try: with panel before without, whole before short, mark as property before mark as line.

    All are equally internal.
    """
    ours = {"key": PROPERTY, "value": property_value(mark)}
    secret = [_SECRET] if internal else []
    if panel:
        yield {"body": site.text(markdown, TEXT_LIMIT, panel=panel), "properties": [ours, *secret]}
    for limit in _limits(markdown):
        yield {"body": site.text(markdown, limit), "properties": [ours, *secret]}
        yield {"body": site.text(markdown, limit, mark.label), **({"properties": secret} if secret else {})}


def _check_room(answer: JiraAnswer, key: str) -> None:
    """Raise `TrackerRejected` if the ticket has reached Jira's number of comments: a shorter text would not help."""
    text = " ".join(problems_of(answer).values())
    too_many = answer.status == HTTPStatus.BAD_REQUEST and _FULL.search(text)
    if answer.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or too_many:
        raise TrackerRejected(problems={"comments": f"{key} takes no more of them: {text}"})


async def _keep_inside(session: JiraSession, made: Json) -> None:
    """Hide the comment if Cloud reports it as public in spite of our property."""
    if not isinstance(made, dict) or not made.get("jsdPublic"):
        return
    try:
        written(await session.write("PUT", f"comment/{_id_of(made)}/properties/{INTERNAL}", _SECRET["value"]))
    except TriageError as e:
        raise TrackerRejected(problems={"comment": f"it stands there for customers to read: {e}"}) from e


def _id_of(made: Json) -> str:
    number = made.get("id") if isinstance(made, dict) else None
    if not number:
        raise WriteUnconfirmed(detail="commented, but the answer names no id")
    return str(number)
