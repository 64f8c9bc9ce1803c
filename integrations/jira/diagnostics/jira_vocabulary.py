"""Distinguishes Jira's own vocabulary from people's words by the place in an answer."""

import re
from collections.abc import Mapping
from typing import Final

from triage.domain.conversation import Json


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENUMS: Final = _words("""
    type items system custom deploymentType version buildDate scmInfo projectTypeKey style state colorName accountType
    expand mimeType fieldId fieldtype operations entityType attributes assigneeType
""")
"""Keys whose values are Jira's own in any object."""
_ENUM: Final = re.compile(r"(?!.*//)[\w.:,/+-]{1,200}")
_CATALOGUES: Final = _words("status issuetype priority resolution statuscategory issuelinktype")
_CATALOGUE_WORDS: Final = _words("name key inward outward untranslatedName")
_CATALOGUE_NAMES: Final = _words("status to issuetype priority resolution statusCategory")
MOMENTS: Final = _words("""
    created updated resolutiondate duedate serverTime startDate endDate completeDate createdDate started
""")
"""Keys of timestamps that Jira sets; those of other fields may be birthdays."""
CONSTANT: Final = {"timeZone": "Etc/UTC", "locale": "en_US"}
"""Values that replace personal settings, which reveal where somebody lives."""
_OF_PEOPLE: Final = _words("accountId emailAddress displayName")
CHOSEN: Final = _words("roles names properties")
"""Objects whose keys are chosen by people."""
THEIR_KEYS: Final = _words("""
    self id key value name child disabled state boardId goal startDate endDate completeDate type version content text marks
    attrs accountId accountType displayName emailAddress active timeZone avatarUrls 48x48 24x24 16x16 32x32
""")
"""Keys that Jira itself uses inside custom fields."""
_THEIR_WORDS: Final = _words("""
    doc paragraph heading text bulletList orderedList listItem codeBlock blockquote rule hardBreak panel table tableRow
    tableCell tableHeader mention emoji media mediaSingle mediaGroup inlineCard taskList taskItem decisionList decisionItem
    expand date status strong em code link strike underline subsup textColor active future closed atlassian app customer
""")
PATH_WORDS: Final = _words("""
    rest api latest agile ex jira 1.0 2 3 issue project status issuetype issueType priority resolution component version user
    statuscategory issueLinkType issueLink attachment content thumbnail comment secure browse board sprint field
    customFieldOption servicedeskapi servicedesk requesttype statuses createmeta issuetypes assignable search jql
    mypermissions myself serverInfo users configuration meta transitions pat tokens filter securitylevel
""")
"""URL path segments that every Jira has."""
QUERY_WORDS: Final = _words("startAt maxResults start limit size avatarType avatarId pid expand orderBy state fields")
"""Query parameters whose values are Jira's own."""


def is_user(shape: Mapping[str, Json]) -> bool:
    """Tell whether an object is a user, by keys that only users have."""
    named = any(isinstance(shape.get(name), str) and shape[name] for name in _OF_PEOPLE)
    return named and not {"projectKey", "projectTypeKey", "schema", "projectId"} & shape.keys()


def is_project(shape: Mapping[str, Json]) -> bool:
    """Tell whether an object is a project or refers to one."""
    return bool({"projectTypeKey", "projectKey"} & shape.keys()) or _self_kind(shape) == "project"


def _is_catalogue(shape: Mapping[str, Json]) -> bool:
    """Tell whether an object is a type, status, priority or the like, by its URL, its key, or a link type's directions."""
    named = shape.get("__name__") in _CATALOGUE_NAMES
    return named or _self_kind(shape) in _CATALOGUES or {"inward", "outward"} <= shape.keys()


def _is_own_field(shape: Mapping[str, Json]) -> bool:
    """Tell whether an object describes a system or Agile field, not a custom one."""
    number = str(shape.get("fieldId") or shape.get("id") or shape.get("key") or "")
    schema = shape.get("schema") or shape.get("jiraSchema") or {}
    agile = str(schema.get("custom") or "").startswith("com.pyxis.greenhopper.") if isinstance(schema, dict) else False
    described = bool({"schema", "jiraSchema", "fieldId", "clauseNames"} & shape.keys())
    return described and (agile or (number != "" and not number.startswith("customfield_")))


def _self_kind(shape: Mapping[str, Json]) -> str:
    """Return the kind in an object's `self` URL: `status` of …/rest/api/3/status/10001."""
    parts = str(shape.get("self") or "").split("?")[0].rstrip("/").split("/")
    return parts[-2].lower() if len(parts) > 1 else ""


def is_jiras(text: str, name: str, shape: Mapping[str, Json], *, custom: bool) -> bool:
    """Tell whether a text is Jira's own or an administrator's name for a type, status or the like."""
    if custom:
        return name in _ENUMS and text in _THEIR_WORDS
    if "havePermission" in shape or (name in _ENUMS and _ENUM.fullmatch(text)):
        return True
    if name in _CATALOGUE_WORDS and _is_catalogue(shape):
        return True
    if name in {"key", "id"} and re.fullmatch(r"customfield_\d+", text):
        return True
    return name in {"name", "key", "id", "clauseNames"} and _is_own_field(shape)
