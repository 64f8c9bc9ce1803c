"""Converts Jira's answers to JSON or to our errors; a write of unknown outcome raises `WriteUnconfirmed`."""

import html
import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from pydantic_core import from_json

from triage.domain.conversation import Json
from triage.domain.errors import (
    TicketGone,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
    TriageError,
    WriteUnconfirmed,
)

_SUCCESS: Final = range(200, 300)
_MOVED: Final = range(300, 400)
_REFUSED: Final = range(400, 500)
_LONGEST_WAIT: Final = 3600.0
_TITLE: Final = re.compile(rb"<title[^>]{0,200}>([^<]{0,300})", re.IGNORECASE)
_LOGIN_FORM: Final = re.compile(rb"type=[\"']?password|os_password|/login", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JiraAnswer:
    """One HTTP answer."""

    status: int
    headers: Mapping[str, str]
    """Case-insensitive."""
    body: bytes

    @property
    def ok(self) -> bool:
        """The status is 2xx."""
        return self.status in _SUCCESS

    @property
    def html(self) -> bool:
        """The body is HTML: a login form, a proxy's error, a maintenance notice."""
        return self.body.lstrip()[:1] == b"<"

    @property
    def told(self) -> dict[str, Json]:
        """The JSON object of Jira's error answer; empty if the body is none."""
        try:
            body = self.json()
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    def json(self) -> Json:
        """Return the body as JSON; None if it is empty. Raises `ValueError`."""
        if not self.body.strip():
            return None
        try:
            return from_json(self.body)
        except ValueError:  # more than it reads: a lone surrogate, UTF-16, 200 nested lists
            return self._by_the_book()

    def _by_the_book(self) -> Json:
        try:
            return json.loads(self.body)
        except RecursionError:
            raise ValueError("nested too deeply") from None


@contextmanager
def well_formed(what: str) -> Iterator[None]:
    """Wrap code that reads an answer: raise `TrackerDown` if it does not have the expected shape."""
    try:
        yield
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as e:
        raise TrackerDown(detail=f"{what}: not the shape of Jira's answer ({type(e).__name__}: {e})"[:200]) from None


def read(answer: JiraAnswer, about: str = "") -> Json:
    """Return the JSON of a read, never None; `about` names what a 404 means (`TicketGone`).

    Raises the error of a refusal, and `TrackerDenied` or `TrackerDown` for a success that is not for us or no JSON.
    """
    if not answer.ok:
        raise _refusal(answer, about)
    if a_stranger(answer):
        raise TrackerDenied(status=answer.status, detail=f"answered as to a stranger: {_login_reason(answer)}")
    if answer.html:
        raise _page(answer)
    try:
        brought = answer.json()
    except ValueError as e:
        raise TrackerDown(detail=f"{answer.status} without readable JSON: {e}"[:200]) from None
    if brought is None:
        raise TrackerDown(detail=f"{answer.status} without a word")
    return brought


def written(answer: JiraAnswer, about: str = "") -> Json:
    """Return the JSON of a write. Raises `WriteUnconfirmed` after 408, 5xx or an unreadable success."""
    definite = answer.status in _MOVED or answer.status in _REFUSED
    if definite and answer.status != HTTPStatus.REQUEST_TIMEOUT:
        raise _refusal(answer, about)
    if not answer.ok:
        raise WriteUnconfirmed(detail=_excerpt(answer))
    try:
        return answer.json()
    except ValueError:
        raise WriteUnconfirmed(detail=f"{answer.status} without readable JSON") from None


def _refusal(answer: JiraAnswer, about: str) -> TriageError:  # noqa: PLR0911 - one return per kind of answer
    """Choose the error for an answer that is no success."""
    match answer.status:
        case HTTPStatus.TOO_MANY_REQUESTS:
            scope = answer.headers.get("RateLimit-Reason", "")
            return TrackerBusy(retry_after=retry_after(answer.headers), scope=scope)
        case HTTPStatus.FORBIDDEN if in_its_own_words(answer):
            return TrackerRejected(problems={"permission": " ".join(problems_of(answer).values())})
        case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
            return TrackerDenied(status=answer.status, detail=_excerpt(answer))
        case status if status in _MOVED:
            return TrackerDenied(status=status, detail=f"sent us on to {answer.headers.get('Location', '?')[:200]}")
        case status if status in _REFUSED and a_stranger(answer):
            return TrackerDenied(status=status, detail=f"answered as to a stranger: {_login_reason(answer)}")
        case HTTPStatus.NOT_FOUND if about and answer.told:
            return TicketGone(key=about)
        case HTTPStatus.NOT_FOUND | HTTPStatus.REQUEST_TIMEOUT | HTTPStatus.CONFLICT | HTTPStatus.GONE:
            return TrackerDown(detail=_excerpt(answer))
        case status if status in _REFUSED:
            return TrackerRejected(problems=problems_of(answer))
    down = TrackerDown(detail=_excerpt(answer))
    down.retry_after = retry_after(answer.headers)
    return down


def in_its_own_words(answer: JiraAnswer) -> bool:
    """Tell whether Jira itself refuses this one request: no HTML page, no proxy, no captcha, no failed login."""
    return bool(answer.told) and "X-Authentication-Denied-Reason" not in answer.headers and not a_stranger(answer)


def _page(answer: JiraAnswer) -> TriageError:
    """Return the error for HTML instead of JSON: a login form is a refusal, anything else is not Jira."""
    if _LOGIN_FORM.search(answer.body):
        return TrackerDenied(status=answer.status, detail=f"a login page instead of an answer: {_excerpt(answer)}")
    return TrackerDown(detail=f"a web page instead of an answer: {_excerpt(answer)}")


def _login_reason(answer: JiraAnswer) -> str:
    return answer.headers.get("X-Seraph-LoginReason", "")


def a_stranger(answer: JiraAnswer) -> bool:
    """Tell whether Jira answers as to an anonymous user: with 200 if an open call has an invalid token."""
    return any(reason in _login_reason(answer) for reason in ("AUTHENTICATED_FAILED", "AUTHENTICATION_DENIED"))


def problems_of(answer: JiraAnswer) -> dict[str, str]:
    """Return Jira's complaints by field id; those about no field under `jira`."""
    body = answer.told
    fields = body.get("errors")
    problems = {str(name): str(text)[:300] for name, text in fields.items()} if isinstance(fields, dict) else {}
    messages = body.get("errorMessages") or body.get("errorMessage") or body.get("message") or []
    message = " ".join(str(text) for text in (messages if isinstance(messages, list) else [messages]))
    return problems | ({"jira": message[:500]} if message else {}) or {"jira": _excerpt(answer)}


def _excerpt(answer: JiraAnswer) -> str:
    """Return status and the start of the answer, at most 200 characters."""
    title = _TITLE.search(answer.body)
    denied = answer.headers.get("X-Authentication-Denied-Reason", "")
    words = denied or html.unescape((title[1] if title else answer.body[:300]).decode("utf-8", "replace"))
    return f"{answer.status} {' '.join(words.split())}"[:200].rstrip()


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`, a number or an HTTP date; None if it is absent or invalid."""
    value = headers.get("Retry-After", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        seconds = _seconds_until(value, headers.get("Date", ""))
    return min(max(seconds, 0.0), _LONGEST_WAIT) if math.isfinite(seconds) else None


def _seconds_until(then: str, now: str) -> float:
    """Return the seconds between two dates; `now` is the server's `Date`, since our clock may be wrong."""
    try:
        return (_http_date(then) - (_http_date(now) if now else datetime.now(UTC))).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return math.nan


def _http_date(date: str) -> datetime:
    moment = parsedate_to_datetime(date)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
