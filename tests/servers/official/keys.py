"""What an answer of Jira must hold for us to read it: Atlassian's descriptions require next to nothing.

Taken from the recorded bodies and from what the adapter reads. `a.b` is b inside a, `a[]` each of a list, and behind a
`?` it counts only where the thing is there and not null.
"""

from collections.abc import Iterator
from typing import Any, Final

_STATUS: Final = "id name statusCategory.key statusCategory.name statusCategory.colorName"
_TYPE: Final = "id name subtask"
_PERSON: Final = "self displayName active timeZone avatarUrls.48x48"
_ISSUE: Final = (
    "id key self fields fields.status?.name fields.status?.statusCategory.key fields.issuetype?.name fields.issuetype?.subtask"
    " fields.assignee?.displayName fields.assignee?.active fields.reporter?.displayName fields.creator?.displayName"
    " fields.priority?.name fields.components?[].name fields.project?.key fields.issuelinks?[].type.name"
    " fields.attachment?[].filename fields.attachment?[].size fields.attachment?[].author"
)
_FIELD: Final = "name required schema.type operations hasDefaultValue fieldId"
_PAGE: Final = "maxResults startAt total"


def _each(prefix: str, keys: str) -> str:
    return " ".join(f"{prefix}.{key}" for key in keys.split())


KEYS: Final = {
    "GET serverInfo": "baseUrl version versionNumbers deploymentType buildNumber serverTime serverTitle",
    "GET myself": _PERSON,
    "GET mypermissions": "permissions",
    "GET project/{projectIdOrKey}": "id key name self projectTypeKey lead.displayName issueTypes[].name components roles",
    "GET project/{projectIdOrKey}/statuses": f"{_each('[]', _TYPE)} {_each('[].statuses[]', _STATUS)}",
    "GET issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}": _PAGE,
    "GET issueLinkType": _each("issueLinkTypes[]", "id name inward outward self"),
    "GET attachment/meta": "enabled uploadLimit",
    "GET field": "[].id [].name [].custom [].orderable [].navigable [].searchable [].clauseNames",
    "GET user/assignable/search": _each("[]", _PERSON),
    "GET resolution": "[].id [].name",
    "GET issue/{issueIdOrKey}": _ISSUE,
    "GET issue/{issueIdOrKey}/transitions": "transitions[].id transitions[].name " + _each("transitions[].to", _STATUS),
    "GET issue/{issueIdOrKey}/comment": f"{_PAGE} "
    + _each("comments[]", "id self author.displayName body created updated updateAuthor.displayName"),
    "POST issue/{issueIdOrKey}/comment": "id self author.displayName body created updated",
    "POST issue": "id key self",
    "POST issue/{issueIdOrKey}/attachments": _each(
        "[]", "id filename size author.displayName created content mimeType"
    ),
    "GET comment/{commentId}/properties/{propertyKey}": "key value",
    "GET agile/1.0/board": f"maxResults startAt isLast {_each('values[]', 'id self name type')}",
    "GET agile/1.0/board/{boardId}/sprint": f"maxResults startAt isLast {_each('values[]', 'id self state name')}",
}
"""In both kinds of Jira."""
OF_CLOUD: Final = {
    "GET myself": "accountId accountType",
    "GET user/assignable/search": "[].accountId [].accountType",
    "GET project/{projectIdOrKey}": "style simplified isPrivate lead.accountId",
    "GET issue/createmeta/{projectIdOrKey}/issuetypes": f"{_PAGE} {_each('issueTypes[]', _TYPE)}",
    "GET issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}": _each("fields[]", _FIELD),
    "GET search/jql": _each("issues[]", _ISSUE),
    "POST search/jql": "issues[].id",
    "POST issue/bulkfetch": _each("issues[]", _ISSUE),
    "GET issue/{issueIdOrKey}": "fields.assignee?.accountId fields.reporter?.accountId fields.creator?.accountId",
    "GET issue/{issueIdOrKey}/comment": "comments[].author.accountId comments[].jsdPublic",
    "GET agile/1.0/board": "values[].location.projectKey",
}
OF_DATA_CENTER: Final = {
    "GET myself": "name key emailAddress",
    "GET user/assignable/search": "[].name [].key",
    "GET issue/createmeta/{projectIdOrKey}/issuetypes": f"{_PAGE} isLast {_each('values[]', _TYPE)}",
    "GET issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}": f"isLast {_each('values[]', _FIELD)}",
    "GET search": f"{_PAGE} {_each('issues[]', _ISSUE)}",
    "POST search": f"{_PAGE} {_each('issues[]', _ISSUE)}",
    "GET issue/{issueIdOrKey}": "fields.assignee?.name fields.reporter?.name fields.creator?.name",
    "GET issue/{issueIdOrKey}/comment": "comments[].author.name comments[].author.key",
}


def missing(operation: str, body: Any, *, cloud: bool) -> list[str]:
    """The keys that an answer to this operation should have and has not."""
    more = OF_CLOUD if cloud else OF_DATA_CENTER
    keys = f"{KEYS.get(operation, '')} {more.get(operation, '')}".split()
    return [key for key in keys if not all(_holds(body, key))]


def _holds(body: Any, key: str) -> Iterator[bool]:
    """For each place that the key means whether it is there."""
    if not key:
        yield True
        return
    part, _, rest = key.partition(".")
    name, several = part.removesuffix("[]"), part.endswith("[]")
    name, optional = name.removesuffix("?"), name.endswith("?")
    inside = body
    if name:
        if not isinstance(body, dict) or name not in body or (body[name] is None and (optional or rest)):
            yield optional
            return
        inside = body[name]
    if not several:
        yield from _holds(inside, rest)
    elif isinstance(inside, list):
        for each in inside:
            yield from _holds(each, rest)
    else:
        yield False
