"""What an answer of Jira means, read and written."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requests.structures import CaseInsensitiveDict

from integrations.jira.http.errors import JiraAnswer, problems_of, read, retry_after, well_formed, written
from triage.domain.errors import (
    TicketGone,
    TrackerBusy,
    TrackerDenied,
    TrackerDown,
    TrackerRejected,
    TriageError,
    WriteUnconfirmed,
)

JSON = {"Content-Type": "application/json"}
LOGIN = b'<html><title>Log in &ndash; Jira</title><form><input type="password"></form>'
BUSY = b"<!doctype html><title>Down for maintenance</title>"
SAID = b'{"errorMessages":["Issue does not exist"],"errors":{}}'


def answer(status: int, body: bytes = b"", **headers: str) -> JiraAnswer:
    """An answer; headers with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return JiraAnswer(status, CaseInsensitiveDict(JSON | named), body)


READS: list[tuple[JiraAnswer, type[TriageError]]] = [
    (answer(401), TrackerDenied),
    (answer(403, b"{}"), TrackerDenied),
    (answer(403, X_Authentication_Denied_Reason="CAPTCHA_CHALLENGE"), TrackerDenied),
    (answer(302, Location="https://sso.example.com/"), TrackerDenied),
    (answer(200, LOGIN, Content_Type="text/html"), TrackerDenied),
    (answer(200, BUSY, Content_Type="text/html;charset=UTF-8"), TrackerDown),
    (answer(200, b'{"issues":[]}', X_Seraph_LoginReason="AUTHENTICATED_FAILED"), TrackerDenied),
    (answer(200, b'{"issues":[]}', X_Seraph_LoginReason="AUTHENTICATION_DENIED"), TrackerDenied),
    (answer(404, SAID, X_Seraph_LoginReason="AUTHENTICATED_FAILED"), TrackerDenied),
    (answer(404, SAID), TicketGone),
    (answer(404, BUSY), TrackerDown),
    (answer(404, b"404 page not found"), TrackerDown),
    (answer(410, b'{"errorMessages":["removed"]}'), TrackerDown),
    (answer(400, b'{"errorMessages":["bad"],"errors":{}}'), TrackerRejected),
    (answer(409), TrackerDown),
    (answer(403, b'{"errorMessages":["You do not have permission."]}'), TrackerRejected),
    (answer(413), TrackerRejected),
    (answer(413, BUSY), TrackerRejected),
    (answer(408), TrackerDown),
    (answer(429), TrackerBusy),
    (answer(500), TrackerDown),
    (answer(503), TrackerDown),
    (answer(200, b'{"issues":['), TrackerDown),
    (answer(200, b"[" * 100_000), TrackerDown),
    (answer(200, b"\xff\xfe"), TrackerDown),
    (answer(200, b" \r\n"), TrackerDown),
    (answer(100), TrackerDown),
]

WRITES: list[tuple[JiraAnswer, type[TriageError]]] = [
    (answer(401), TrackerDenied),
    (answer(403), TrackerDenied),
    (answer(404, SAID), TicketGone),
    (answer(404, BUSY), TrackerDown),
    (answer(400, b'{"errors":{"priority":"no"}}'), TrackerRejected),
    (answer(422), TrackerRejected),
    (answer(302), TrackerDenied),
    (answer(429), TrackerBusy),
    (answer(408), WriteUnconfirmed),
    (answer(500), WriteUnconfirmed),
    (answer(502, BUSY), WriteUnconfirmed),
    (answer(503, Retry_After="1"), WriteUnconfirmed),
    (answer(200, LOGIN), WriteUnconfirmed),
    (answer(201, b'{"key":"OPS'), WriteUnconfirmed),
    (answer(799), WriteUnconfirmed),
]


@pytest.mark.parametrize(("given", "trouble"), READS, ids=lambda value: getattr(value, "__name__", None))
def test_a_read_that_brings_nothing_says_why(given: JiraAnswer, trouble: type[TriageError]) -> None:
    """Every answer that is none is one of our errors, never an empty result."""
    with pytest.raises(trouble) as told:
        read(given, "OPS-1")

    assert type(told.value) is trouble


@pytest.mark.parametrize(("given", "trouble"), WRITES, ids=lambda value: getattr(value, "__name__", None))
def test_a_write_that_may_have_happened_is_unsure(given: JiraAnswer, trouble: type[TriageError]) -> None:
    """Refusals are definite; everything after which a ticket may exist is not."""
    with pytest.raises(trouble) as told:
        written(given, "OPS-1")

    assert type(told.value) is trouble


def test_an_answer_is_its_json() -> None:
    """A success brings what stands in it; only a write may bring nothing."""
    assert read(answer(200, b'{"a": 1}')) == {"a": 1}
    assert written(answer(204)) is None


def test_a_missing_address_is_no_missing_ticket() -> None:
    """Without a ticket in question a 404 says that Jira is not there."""
    with pytest.raises(TrackerDown):
        read(answer(404, SAID))


def test_a_refusal_names_the_fields() -> None:
    """Messages that belong to no field stand apart."""
    body = b'{"errorMessages":["Not here","nor there"],"errors":{"labels":"cannot be set"}}'

    assert problems_of(answer(400, body)) == {"labels": "cannot be set", "jira": "Not here nor there"}


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"5", b"[]", b'"no"', b'{"errorMessages":null,"errors":null}', b'{"errors":[]}', b"no", b'{"a":1}'],
)
def test_a_refusal_of_any_shape_names_something(body: bytes) -> None:
    """Bodies that stop the vendor's package do not stop us."""
    assert problems_of(answer(400, body))["jira"]


def test_the_page_behind_an_error_is_told_by_its_title() -> None:
    """An admin sees what stood in the browser's tab, not a screen of HTML."""
    with pytest.raises(TrackerDown, match="503 Down for maintenance"):
        read(answer(503, BUSY + b"x" * 9000))


def test_a_busy_jira_says_for_how_long_and_why() -> None:
    """The queue waits for what was asked, and the report names the limit."""
    with pytest.raises(TrackerBusy) as told:
        read(answer(429, retry_after="7", ratelimit_reason="jira-burst-based"))

    assert (told.value.retry_after, told.value.scope) == (7.0, "jira-burst-based")


def test_a_jira_in_maintenance_may_say_for_how_long() -> None:
    """503 carries the wait as well."""
    with pytest.raises(TrackerDown) as told:
        read(answer(503, retry_after="9"))

    assert told.value.retry_after == 9.0


NOW = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("12", 12.0),
        ("0.5", 0.5),
        ("-4", 0.0),
        ("1e99", 3600.0),
        ("inf", None),
        ("nan", None),
        ("soon", None),
        ("", None),
        (format_datetime(NOW + timedelta(seconds=20), usegmt=True), 20.0),
        (format_datetime(NOW - timedelta(days=2), usegmt=True), 0.0),
        ("Fri, 99 Nov 2026 08:00:00 GMT", None),
    ],
)
def test_a_wait_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    """Counted from the server's own clock; nonsense is no wait."""
    headers = CaseInsensitiveDict({"Retry-After": value, "Date": format_datetime(NOW, usegmt=True)})

    assert retry_after(headers) == seconds


def test_a_date_is_counted_from_our_clock_where_the_server_has_none() -> None:
    """An hour from now is about an hour."""
    soon = format_datetime(datetime.now(UTC) + timedelta(minutes=30), usegmt=True)
    wait = retry_after(CaseInsensitiveDict({"Retry-After": soon}))

    assert wait
    assert 1750 < wait <= 1800


@given(
    st.integers(100, 999), st.binary(max_size=50), st.dictionaries(st.sampled_from(["Retry-After", "Date"]), st.text())
)
def test_no_answer_is_too_strange(status: int, body: bytes, headers: dict[str, str]) -> None:
    """Any answer is JSON or one of our errors."""
    for judge in (read, written):
        with suppress(TriageError):
            judge(JiraAnswer(status, CaseInsensitiveDict(headers), body), "OPS-1")


@pytest.mark.parametrize("shape", [None, [], {}, 5, "text", {"fields": None}])
def test_another_shape_is_not_jira(shape: Any) -> None:
    """JSON that is not Jira's ends as an error of ours, not as a crash."""
    with pytest.raises(TrackerDown, match="not the shape"), well_formed("search"):
        int(shape["fields"]["summary"])
