"""Endpoints for attachments: upload as a form, metadata, download whole or in ranges."""

import hashlib
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import HeaderParser
from typing import Final
from urllib.parse import quote

from triage_sandbox.jira import shapes
from triage_sandbox.jira.call import API, DONE, Answer, Call, JiraError, Route
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue import history, issues
from triage_sandbox.jira.shapes import Shape


def meta(call: Call) -> Answer:
    """Return the largest size of a file."""
    return Answer({"enabled": True, "uploadLimit": call.site.upload_limit})


def attach(call: Call) -> Answer:
    """Store the files of a multipart form."""
    if call.request.headers.get("x-atlassian-token") not in {"no-check", "nocheck"}:
        return Answer(b"XSRF check failed", 403, {"content-type": "text/html;charset=UTF-8"})
    issue = call.issue()
    call.need("CREATE_ATTACHMENTS", issue["project"])
    files = list(_files(call.request.headers.get("content-type", ""), call.raw))
    for name, _, content in files:
        if len(content) > call.site.upload_limit:
            raise JiraError(
                413, f"The file '{name}' exceeds the limit of {call.site.upload_limit} bytes for attachments."
            )
    stored = [_store(call, issue, *file) for file in files]
    return Answer(stored)


def _store(call: Call, issue: Row, name: str, kind: str, content: bytes) -> Shape:
    columns = {"issue": issue["id"], "author": call.me, "name": name, "type": kind, "content": content}
    number = call.db.insert("attachment", {**columns, "created": call.site.now()})
    issues.log(call, issue["id"], [history.item("Attachment", "attachment", (None, None), (number, name))])
    return shapes.attachment(call, _attachment(call, str(number)))


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
    if row is None or call.seen(str(row["issue"])) is None:
        raise JiraError(404, f"The attachment with id '{number}' does not exist")
    return row


def one(call: Call) -> Answer:
    """Return the metadata of a file; in this answer alone its id is a number."""
    row = _attachment(call, call.part("id"))
    return Answer(shapes.attachment(call, row) | ({"id": row["id"]} if call.site.cloud else {}))


def content(call: Call) -> Answer:
    """Return the bytes of a file; Cloud redirects to its media server unless `redirect=false`."""
    row = _attachment(call, call.part("id"))
    if call.site.cloud and call.query("redirect", "true") != "false":
        where = f"{call.base}/secure/media/{row['id']}/{_pass(row)}/{quote(row['name'], safe='')}"
        return Answer(b"", 303, {"location": where})
    return _sent(call, row)


def _pass(row: Row) -> str:
    """What opens a file's address for whoever has it: nobody guesses it, nothing else is needed."""
    return hashlib.sha256(f"{row['id']}:{row['created']}:{row['author']}:{row['size']}".encode()).hexdigest()[:32]


def media(call: Call) -> Answer:
    """Return the bytes of a file from Cloud's media server, which asks for no login."""
    row = call.db.one("SELECT *, length(content) AS size FROM attachment WHERE id = ?", call.part("id"))
    if row is None or call.part("pass") != _pass(row):
        raise JiraError(404, "The file does not exist.")
    return _sent(call, row)


def _sent(call: Call, row: Row) -> Answer:
    """Never to be shown in place: what people attach is not ours."""
    disposition = f"attachment; filename*=UTF-8''{quote(row['name'], safe='')}"
    headers = {"content-type": row["type"], "content-disposition": disposition, "x-content-type-options": "nosniff"}
    whole = bytes(row["content"])
    asked = re.fullmatch(r"bytes=(\d*)-(\d*)", call.request.headers.get("range", ""))
    if asked is None or asked[0] == "bytes=-":
        return Answer(whole, headers={**headers, "accept-ranges": "bytes"})
    first, last = _range(asked[1], asked[2], len(whole))
    if first > last or first >= len(whole):
        return Answer(b"", 416, {"content-range": f"bytes */{len(whole)}"})
    return Answer(whole[first : last + 1], 206, {**headers, "content-range": f"bytes {first}-{last}/{len(whole)}"})


def _range(first: str, last: str, size: int) -> tuple[int, int]:
    """The first and the last byte of a range; `-500` are the last five hundred."""
    if not first:
        return max(0, size - int(last)), size - 1
    return int(first), min(int(last), size - 1) if last else size - 1


def thumbnail(call: Call) -> Answer:
    """Return the thumbnail of a picture, which here is the picture."""
    row = _attachment(call, call.part("id"))
    if not row["type"].startswith("image/"):
        raise JiraError(404, f"The attachment with id '{row['id']}' has no thumbnail")
    return _sent(call, row)


def remove(call: Call) -> Answer:
    row = _attachment(call, call.part("id"))
    issue = call.entry("issue", row["issue"])
    call.need(f"DELETE_{'OWN' if row['author'] == call.me else 'ALL'}_ATTACHMENTS", issue["project"])
    call.db.run("DELETE FROM attachment WHERE id = ?", row["id"])
    gone = history.item("Attachment", "attachment", (row["id"], row["name"]), (None, None))
    issues.log(call, issue["id"], [gone])
    return DONE


ROUTES: Final = (
    Route("GET", f"{API}/attachment/meta", meta),
    Route("GET", f"{API}/attachment/{{id}}", one),
    Route("DELETE", f"{API}/attachment/{{id}}", remove),
    Route("GET", f"{API}/attachment/content/{{id}}", content),
    Route("GET", f"{API}/attachment/thumbnail/{{id}}", thumbnail),
    Route("GET", "/secure/attachment/{id}/{name}", content),
    Route("GET", "/secure/media/{id}/{pass}/{name}", media, open=True),
    Route("GET", "/secure/thumbnail/{id}/{name}", thumbnail),
    Route("POST", f"{API}/issue/{{key}}/attachments", attach),
)
