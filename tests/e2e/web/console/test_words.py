"""The line between a viewer and a reader, walked: words of mails are on no page and in no answer that a viewer gets."""

import html
import re
from email import message_from_bytes, policy
from email.message import EmailMessage

import httpx2

from tests.servers.web.console import Site, shown_mails
from triage.domain.operations.tokens import AccessScope

LONG = 34
"""Characters by which a line of a mail is known: more than a title or a reason quotes."""
MOST = 150


def lines_of(raw: bytes) -> set[str]:
    """The beginnings of a mail's long lines."""
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    body = mail.get_body(("plain",))
    text = body.get_content() if body else ""
    return {line.strip()[:LONG] for line in text.splitlines() if len(line.strip()) > LONG}


def walked(browser: httpx2.Client) -> dict[str, str]:
    """The text of every page that links lead to."""
    found: dict[str, str] = {}
    ahead = ["/?tab=all", "/"]
    while ahead and len(found) < MOST:
        path = ahead.pop()
        answer = browser.get(path)
        found[path] = html.unescape(answer.text)
        places = re.findall(r'(?:href|src|hx-get)="(/(?!static|sign|live)[^"#]*)"', answer.text)
        ahead += [place for place in map(html.unescape, places) if place not in {*found, *ahead}]
    return found


def asked(api: httpx2.Client) -> dict[str, str]:
    """What each route of the API that reads says of the cases, their letters and approvals."""
    paths = [path for path, methods in api.get("/api/v1/openapi.json").json()["paths"].items() if "get" in methods]
    every = {re.sub(r"\{[^}]+\}", n, path) for path in paths if not path.endswith("/events") for n in "123"}
    return {path: " ".join(api.get(path).text.replace("\\n", "\n").splitlines()) for path in sorted(every)}


def test_a_viewer_reads_no_mail(site: Site) -> None:
    """Whatever a viewer opens in the console or asks the API, no line of a mail is in it; a reader finds them."""
    lines = set[str]().union(*map(lines_of, shown_mails()))
    headers = {one: {"authorization": f"Bearer {site.tokens[one]}"} for one in (AccessScope.VIEWER, AccessScope.READER)}
    with site.client(AccessScope.VIEWER) as browser, httpx2.Client(base_url=site.url) as api:
        api.headers.update(headers[AccessScope.VIEWER])
        seen = walked(browser) | asked(api)
        api.headers.update(headers[AccessScope.READER])
        read = " ".join(asked(api).values())

    assert {path: line for path, text in seen.items() for line in lines if line in text} == {}
    assert {"/audit", "/cases/1", "/api/v1/audit", "/api/v1/cases/1"} <= set(seen)
    assert len(lines) > 10
    assert any(line in read for line in lines)
