"""Writes a recorded probe as one anonymised JSON text that tests can read back."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from integrations.jira.diagnostics.anonymous import JiraAnonymiser
from integrations.jira.diagnostics.jira_probe import ProbeAnswer
from integrations.jira.http.errors import JiraAnswer
from integrations.jira.http.wire import Lost
from triage.domain.conversation import Json

FORMAT: Final = "triage-jira-bundle-1"
_HEADERS: Final = ("content-type", "retry-after", "x-ratelimit-", "ratelimit-", "x-seraph-loginreason")
_LOGIN_PAGE: Final = b"password"


def bundle_of(
    seen: Sequence[ProbeAnswer], *, url: str, project: str, request_type: str = "", secrets: Iterable[str] = ()
) -> str:
    """Return the anonymised probe as JSON. Raises `ValueError` if it would contain one of `secrets`."""
    hidden = JiraAnonymiser(url, project)
    bodies = [_body(each.answer) for each in seen]
    for body in bodies:
        hidden.collect(body)
    kept = {
        "format": FORMAT,
        "project": hidden.pseudonyms.project(project),
        "request_type": hidden.value(request_type, "name"),
        "seen": [_kept(each, body, hidden) for each, body in zip(seen, bodies, strict=True)],
    }
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    if any(secret and secret in text for secret in secrets):
        raise ValueError("an answer of Jira repeats a secret of ours")
    return text


def _kept(seen: ProbeAnswer, body: Json, hidden: JiraAnonymiser) -> Json:
    what, _, about = seen.what.partition(":")
    entry: Json = {
        "what": f"{what}:{hidden.path(about)}" if about else what,
        "path": hidden.path(seen.path),
        "params": hidden.params(seen.params),
    }
    answer = seen.answer
    if isinstance(answer, Lost):
        return {**entry, "lost": answer.detail.partition(" ")[0]}
    headers = {name.lower(): value for name, value in answer.headers.items() if name.lower().startswith(_HEADERS)}
    entry |= {"status": answer.status, "headers": headers}
    if answer.html:
        return {**entry, "page": "login" if _LOGIN_PAGE in answer.body.lower() else "other"}
    return {**entry, "body": hidden.value(body)}


def _body(answer: JiraAnswer | Lost) -> Json:
    """Return the answer's JSON; None for HTML, invalid JSON or no answer."""
    if isinstance(answer, Lost) or answer.html:
        return None
    try:
        return answer.json()
    except ValueError:
        return None
