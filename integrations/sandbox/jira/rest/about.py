"""What the site says of itself and of who is asking."""

from typing import Final

from integrations.sandbox.jira import shapes
from integrations.sandbox.jira.call import Answer, Call, JiraError, Route
from integrations.sandbox.jira.stamps import stamp

_PERMISSIONS: Final = {
    "BROWSE_PROJECTS": (10, "Browse Projects"),
    "CREATE_ISSUES": (11, "Create Issues"),
    "EDIT_ISSUES": (12, "Edit Issues"),
    "ASSIGN_ISSUES": (13, "Assign Issues"),
    "RESOLVE_ISSUES": (14, "Resolve Issues"),
    "ADD_COMMENTS": (15, "Add Comments"),
    "DELETE_ISSUES": (16, "Delete Issues"),
    "ASSIGNABLE_USER": (17, "Assignable User"),
    "CLOSE_ISSUES": (18, "Close Issues"),
    "CREATE_ATTACHMENTS": (19, "Create Attachments"),
    "LINK_ISSUES": (21, "Link Issues"),
    "SCHEDULE_ISSUES": (28, "Schedule Issues"),
    "MODIFY_REPORTER": (30, "Modify Reporter"),
    "MANAGE_WATCHERS": (32, "Manage Watchers"),
    "TRANSITION_ISSUES": (46, "Transition Issues"),
}


def server_info(call: Call) -> Answer:
    """Version and kind of the deployment; clients decide by it how to speak."""
    site = call.site
    return Answer(
        {
            "baseUrl": call.base,
            "version": site.version,
            "versionNumbers": [int(part) for part in site.version.partition("-")[0].split(".")],
            "deploymentType": "Cloud" if site.cloud else "Server",
            "buildNumber": 100_290 if site.cloud else 10_030_024,
            "buildDate": "2026-10-01T00:00:00.000+0000",
            "serverTime": stamp(site.now()),
            "scmInfo": "sandbox",
            "serverTitle": "Jira (sandbox)",
        }
    )


def myself(call: Call) -> Answer:
    """Who is asking."""
    me = shapes.entry(call, "account", call.me)
    return Answer(shapes.person(call, me) | {"locale": "en_GB"})


def my_permissions(call: Call) -> Answer:
    """What the caller may do; in this sandbox that is everything."""
    me = call.me
    asked = call.listed("permissions") or ([] if call.site.cloud else list(_PERMISSIONS))
    if not asked:
        raise JiraError(400, "The 'permissions' query parameter is required.")
    unknown = [name for name in asked if name not in _PERMISSIONS]
    if unknown:
        raise JiraError(400, f"Unrecognized permission: {unknown[0]}")
    if key := call.query("projectKey"):
        call.project(key)
    return Answer({"permissions": {name: _permission(name, held=bool(me)) for name in asked}})


def _permission(name: str, *, held: bool) -> shapes.Shape:
    number, words = _PERMISSIONS[name]
    return {
        "id": str(number),
        "key": name,
        "name": words,
        "type": "PROJECT",
        "description": "",
        "havePermission": held,
    }


def session(call: Call) -> Answer:
    """The session of who is asking, the older way to ask who that is."""
    me = shapes.entry(call, "account", call.me)
    name = me["email"] if call.site.cloud else me["name"]
    seen = {"loginCount": 1, "previousLoginTime": stamp(call.site.started)}
    return Answer({"self": f"{call.base}/rest/api/latest/user?username={name}", "name": name, "loginInfo": seen})


ROUTES: Final = (
    Route("GET", "/rest/api/{version}/serverInfo", server_info, open=True),
    Route("GET", "/rest/api/{version}/myself", myself),
    Route("GET", "/rest/api/{version}/mypermissions", my_permissions),
    Route("GET", "/rest/auth/1/session", session),
)
