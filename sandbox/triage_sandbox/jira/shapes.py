"""JSON shapes that many endpoints share: people, projects, statuses, priorities and other list entries."""

import json
from typing import Any, Final
from urllib.parse import quote

from markupsafe import escape

from triage_sandbox.jira.call import USER_KEY, Call
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.ground.stamps import span, stamp
from triage_sandbox.jira.markup.body import Body

Shape = dict[str, Any]

CATEGORIES: Final[dict[str, Shape]] = {
    "new": {"id": 2, "key": "new", "colorName": "blue-gray", "name": "To Do"},
    "indeterminate": {"id": 4, "key": "indeterminate", "colorName": "yellow", "name": "In Progress"},
    "done": {"id": 3, "key": "done", "colorName": "green", "name": "Done"},
}
PRIORITY_COLOURS: Final = ("#d04437", "#f15c75", "#f79232", "#707070", "#999999")
_SIZES: Final = {"48x48": "large", "24x24": "small", "16x16": "xsmall", "32x32": "medium"}


def user(call: Call, account: str | None) -> Shape | None:
    """Return an account with the fields that this deployment shows."""
    row = None if account is None else call.db.find("account", id=account)
    return None if row is None else person(call, row)


def person(call: Call, row: Row) -> Shape:
    """Return an account's row as JSON."""
    pictures = {size: f"{call.base}/secure/useravatar?size={word}&ownerId={row['id']}" for size, word in _SIZES.items()}
    shared = {
        "displayName": row["shown"],
        "active": bool(row["active"]),
        "timeZone": "Etc/UTC",
        "avatarUrls": pictures,
    }
    if not call.site.cloud:
        self = call.url(f"user?username={row['name']}")
        return {"self": self, "name": row["name"], "key": user_key(row), "emailAddress": row["email"]} | shared
    shape = {"self": call.url(f"user?accountId={row['id']}"), "accountId": row["id"], "accountType": row["kind"]}
    shown = row["email_visible"] or (call.user is not None and call.user["id"] == row["id"])
    return shape | ({"emailAddress": row["email"]} if shown else {}) | shared


def user_key(row: Row) -> str:
    """Return the internal key of an account on Data Center."""
    return f"{USER_KEY}{row['number']}"


def named(call: Call, path: str, row: Row, *columns: str) -> Shape:
    """Return a reference to an object with a URL of its own: URL, id, name, and other columns unchanged."""
    body = {"self": call.url(f"{path}/{row['id']}"), "id": str(row["id"])}
    return body | {column: row[column] for column in ("name", *columns)}


def project(call: Call, row: Row) -> Shape:
    """Return a project as it stands inside other objects."""
    pictures = {size: f"{call.base}/secure/projectavatar?size={word}&pid={row['id']}" for size, word in _SIZES.items()}
    shape = named(call, "project", row, "key") | {"projectTypeKey": row["kind"], "avatarUrls": pictures}
    return shape | ({"simplified": row["style"] == "next-gen"} if call.site.cloud else {})


def issue_type(call: Call, row: Row) -> Shape:
    icon, subtask = f"{call.base}/images/icons/issuetypes/{row['id']}.svg", bool(row["subtask"])
    shape = named(call, "issuetype", row, "description") | {"iconUrl": icon, "subtask": subtask}
    return shape | ({"hierarchyLevel": -1 if subtask else int(row["name"] == "Epic")} if call.site.cloud else {})


def status(call: Call, row: Row) -> Shape:
    icon = f"{call.base}/images/icons/statuses/generic.png"
    return named(call, "status", row) | {
        "description": "",
        "iconUrl": icon,
        "statusCategory": category(call, row["category"]),
    }


def category(call: Call, key: str) -> Shape:
    return {"self": call.url(f"statuscategory/{CATEGORIES[key]['id']}"), **CATEGORIES[key]}


def priority(call: Call, row: Row) -> Shape:
    """Return a priority as it stands inside an issue."""
    icon = f"{call.base}/images/icons/priorities/{row['name'].lower()}.svg"
    return named(call, "priority", row) | {"iconUrl": icon}


def resolution(call: Call, row: Row) -> Shape:
    return named(call, "resolution", row) | {"description": ""}


def component(call: Call, row: Row) -> Shape:
    """Return a component as it stands inside an issue."""
    return named(call, "component", row, *(("description",) if row["description"] else ()))


def version(call: Call, row: Row) -> Shape:
    shape = named(call, "version", row) | {"archived": bool(row["archived"]), "released": bool(row["released"])}
    body = {"description": row["description"], "releaseDate": row["released_on"]}
    return shape | {name: value for name, value in body.items() if value}


def security_level(call: Call, row: Row) -> Shape:
    return named(call, "securitylevel", row, "description")


def link_type(call: Call, row: Row) -> Shape:
    return named(call, "issueLinkType", row, "inward", "outward")


def whole_page(name: str, shown: list[Shape]) -> Shape:
    return {"startAt": 0, "maxResults": len(shown), "total": len(shown), name: shown}


def worklog(call: Call, row: Row) -> Shape:
    author = user(call, row["author"])
    return {
        "self": call.url(f"issue/{row['issue']}/worklog/{row['id']}"),
        "author": author,
        "updateAuthor": author,
        "comment": Body(row["body"], row["markup"]).said_in(call.version),
        "created": stamp(row["created"]),
        "updated": stamp(row["updated"]),
        "started": stamp(row["started"]),
        "timeSpent": span(row["seconds"]),
        "timeSpentSeconds": row["seconds"],
        "id": str(row["id"]),
        "issueId": str(row["issue"]),
    }


def attachment(call: Call, row: Row) -> Shape:
    """Return the metadata of a file, with the URLs of content and, for a picture, thumbnail."""
    name = quote(row["name"], safe="")
    content, small = (
        (call.url(f"attachment/content/{row['id']}"), call.url(f"attachment/thumbnail/{row['id']}"))
        if call.site.cloud
        else (f"{call.base}/secure/attachment/{row['id']}/{name}", f"{call.base}/secure/thumbnail/{row['id']}/{name}")
    )
    return {
        "self": call.url(f"attachment/{row['id']}"),
        "id": str(row["id"]),
        "filename": row["name"],
        "author": user(call, row["author"]),
        "created": stamp(row["created"]),
        "size": row["size"],
        "mimeType": row["type"],
        "content": content,
        **({"thumbnail": small} if row["type"].startswith("image/") else {}),
    }


def change(call: Call, row: Row) -> Shape:
    """Return a changelog entry as JSON. Data Center has no `fieldId`."""
    items = json.loads(row["items"])
    if not call.site.cloud:
        items = [{name: part for name, part in item.items() if name != "fieldId"} for item in items]
    return {
        "id": str(row["id"]),
        "author": user(call, row["author"]),
        "created": stamp(row["created"]),
        "items": items,
    }


def marked(text: str, word: str) -> str:
    """Return HTML in which the search text is bold."""
    place = text.casefold().find(word.casefold()) if word else -1
    if place < 0:
        return str(escape(text))
    end = place + len(word)
    return f"{escape(text[:place])}<b>{escape(text[place:end])}</b>{escape(text[end:])}"
