"""Links between issues, and the files that belong to them."""

import re
from collections.abc import Iterator
from email.message import Message
from email.parser import HeaderParser
from typing import Any, Final
from urllib.parse import quote

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.forms import part_of
from integrations.sandbox.jira.reading import Issues
from integrations.sandbox.jira.rest import comments


def link(call: Call) -> Answer:
    """`inwardIssue` is the one that duplicates, blocks, … : the subject of the outward words."""
    data = call.object()
    kind, source, target = (
        _kind(call, data.get("type")),
        _end(call, data, "inwardIssue"),
        _end(call, data, "outwardIssue"),
    )
    connect(call, kind, source, target)
    if isinstance(data.get("comment"), dict):
        comments.add(call, source, data["comment"])
    return Answer(b"", 201)


def connect(call: Call, kind: Row, source: Row, target: Row) -> None:
    """A link, once."""
    if source["id"] == target["id"]:
        raise JiraError(400, "You cannot link an issue to itself.")
    call.need("LINK_ISSUES", source["project"])
    sql = "INSERT OR IGNORE INTO link (type, source, target) VALUES (?, ?, ?)"
    call.db.run(sql, kind["id"], source["id"], target["id"])
    call.site.feed.publish()


def _kind(call: Call, value: Any) -> Row:
    value = value if isinstance(value, dict) else {}
    by = "id" if "id" in value else "name"
    row = call.db.one(f"SELECT * FROM link_type WHERE {by} = ?", str(value.get(by)))
    if row is None:
        raise JiraError(404, f"No issue link type with {by} '{value.get(by)}' found.")
    return row


def _end(call: Call, data: dict[str, Any], name: str) -> Row:
    value = data.get(name)
    key = (value.get("key") or value.get("id")) if isinstance(value, dict) else None
    row = call.seen(str(key)) if key else None
    if row is None:
        raise JiraError(404, f"No issue could be found for the issue key '{key}'.")
    return row


def from_update(call: Call, issue: Row, data: dict[str, Any]) -> None:
    """Links that came inside an issue's `update`: one end is the issue."""
    for step in items_of(part_of(data, "update"), "issuelinks"):
        wanted = step.get("add") if isinstance(step, dict) else None
        if not isinstance(wanted, dict):
            raise JiraError(400, errors={"issuelinks": "expected an operation 'add' with a type and an issue"})
        kind = _kind(call, wanted.get("type"))
        if "outwardIssue" in wanted:
            connect(call, kind, issue, _end(call, wanted, "outwardIssue"))
        else:
            connect(call, kind, _end(call, wanted, "inwardIssue"), issue)


def one(call: Call) -> Answer:
    """A link with both ends."""
    row = _link(call)
    page = Issues(call, [])
    return Answer(
        {
            "id": str(row["id"]),
            "self": call.url(f"issueLink/{row['id']}"),
            "type": page.one("link_type", row["type"], shapes.link_type),
            "inwardIssue": page.brief(row["source"]),
            "outwardIssue": page.brief(row["target"]),
        }
    )


def _link(call: Call) -> Row:
    row = call.db.one("SELECT * FROM link WHERE id = ?", call.part("id"))
    if row is None:
        raise JiraError(404, f"No issue link with id '{call.part('id')}' exists.")
    return row


def unlink(call: Call) -> Answer:
    """Gone on both sides."""
    call.db.run("DELETE FROM link WHERE id = ?", _link(call)["id"])
    call.site.feed.publish()
    return DONE


# --- files ------------------------------------------------------------------------------------


def attachment_meta(call: Call) -> Answer:
    """How large a file may be."""
    return Answer({"enabled": True, "uploadLimit": call.site.upload_limit})


def attach(call: Call) -> Answer:
    """Store the files of a form."""
    if call.request.headers.get("x-atlassian-token") not in {"no-check", "nocheck"}:
        return Answer(b"XSRF check failed", 403, {"content-type": "text/html;charset=UTF-8"})
    issue, me = call.issue(call.part("key")), call.me
    call.need("CREATE_ATTACHMENTS", issue["project"])
    files = list(_files(call.request.headers.get("content-type", ""), call.raw))
    for _, _, content in files:
        if len(content) > call.site.upload_limit:
            raise JiraError(413, "The file is too large to be attached.")
    stored = []
    with call.db.write():
        now = call.site.now()
        for name, kind, content in files:
            row = {"issue": issue["id"], "author": me, "name": name, "type": kind, "content": content, "created": now}
            stored.append(shapes.attachment(call, _attachment(call, str(call.db.insert("attachment", row)))))
        call.db.run("UPDATE issue SET updated = ? WHERE id = ?", now, issue["id"])
    call.site.feed.publish()
    return Answer(stored)


def _files(content_type: str, body: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Name, type and content of every part called `file`."""
    form = Message()
    form["content-type"] = content_type
    boundary = form.get_param("boundary")
    if form.get_content_type() != "multipart/form-data" or not isinstance(boundary, str):
        raise JiraError(415, "Unsupported Media Type")
    for part in body.split(b"--" + boundary.encode())[1:-1]:
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        headers = HeaderParser().parsestr(head.decode("utf-8", "replace"))
        if headers.get_param("name", header="content-disposition") == "file":
            name = headers.get_filename() or "file"
            yield re.split(r"[\\/]", name)[-1], headers.get_content_type(), content.removesuffix(b"\r\n")


def _attachment(call: Call, number: str) -> Row:
    row = call.db.one("SELECT *, length(content) AS size FROM attachment WHERE id = ?", number)
    if row is None:
        raise JiraError(404, f"The attachment with id '{number}' does not exist")
    return row


def attachment(call: Call) -> Answer:
    """What is known of a file; read alone, its id is a number."""
    row = _attachment(call, call.part("id"))
    return Answer(shapes.attachment(call, row) | ({"id": row["id"]} if call.site.cloud else {}))


def content(call: Call) -> Answer:
    """The file, never to be shown in place: what people attach is not ours."""
    row = _attachment(call, call.part("id"))
    disposition = f"attachment; filename*=UTF-8''{quote(row['name'], safe='')}"
    headers = {"content-type": row["type"], "content-disposition": disposition, "x-content-type-options": "nosniff"}
    return Answer(bytes(row["content"]), headers=headers)


def detach(call: Call) -> Answer:
    """Remove a file."""
    call.db.run("DELETE FROM attachment WHERE id = ?", _attachment(call, call.part("id"))["id"])
    call.site.feed.publish()
    return DONE


_API: Final = "/rest/api/{version}"

ROUTES: Final = (
    Route("POST", f"{_API}/issueLink", link),
    Route("GET", f"{_API}/issueLink/{{id}}", one),
    Route("DELETE", f"{_API}/issueLink/{{id}}", unlink),
    Route("GET", f"{_API}/attachment/meta", attachment_meta),
    Route("GET", f"{_API}/attachment/{{id}}", attachment),
    Route("DELETE", f"{_API}/attachment/{{id}}", detach),
    Route("GET", f"{_API}/attachment/content/{{id}}", content),
    Route("GET", "/secure/attachment/{id}/{name}", content),
    Route("POST", f"{_API}/issue/{{key}}/attachments", attach),
)
