"""Endpoints for server information, settings, and what clients probe before they begin."""

from typing import Final

from triage_sandbox.jira.call import API, Answer, Call, JiraError, Route, lists, says
from triage_sandbox.jira.ground.site import CLOUD_ID
from triage_sandbox.jira.ground.stamps import stamp
from triage_sandbox.jira.shapes import Shape

_ROLE: Final = "jira-software"


def server_info(call: Call) -> Answer:
    """Return version and deployment type; clients choose the API by it."""
    site = call.site
    numbers = [int(part) for part in site.version.partition("-")[0].split(".")]
    body: Shape = {
        "baseUrl": call.home,
        "version": site.version,
        "versionNumbers": numbers,
        "deploymentType": "Cloud" if site.cloud else "Server",
        "buildNumber": 100_290 if site.cloud else int("".join(f"{number:02}" for number in numbers)),
        "buildDate": "2026-10-01T00:00:00.000+0000",
        "serverTime": stamp(site.now()),
        "scmInfo": "sandbox",
        "serverTitle": "Jira (sandbox)",
    }
    return Answer(body | ({"displayUrl": call.home} if site.cloud else {}))


def configuration(_: Call) -> Answer:
    switches = ("voting", "watching", "subTasks", "attachments", "issueLinking", "timeTracking")
    body: Shape = {f"{name}Enabled": True for name in switches}
    tracking = {"workingHoursPerDay": 8.0, "workingDaysPerWeek": 5.0, "timeFormat": "pretty", "defaultUnit": "minute"}
    return Answer(body | {"unassignedIssuesAllowed": True, "timeTrackingConfiguration": tracking})


def application_role(call: Call) -> Answer:
    if call.part("key") != _ROLE:
        raise JiraError(404, f"The application with key '{call.part('key')}' does not exist.")
    return Answer(_application_role(call, _ROLE))


def _application_role(call: Call, key: str) -> Shape:
    people = call.db.value("SELECT count(*) FROM account WHERE active")
    seats = {"numberOfSeats": -1, "remainingSeats": -1, "userCount": people, "hasUnlimitedSeats": True}
    names = ["jira-software-users"]
    body = {"key": key, "name": "Jira Software", "groups": names, "defaultGroups": names, "defined": True}
    return body | {"selectedByDefault": False, "userCountDescription": "users", "platform": False, **seats}


def resources(call: Call) -> Answer:
    """Return the sites that a token of the OAuth gateway opens."""
    avatar = f"{call.home}/images/site.png"
    scopes = ["read:jira-work", "write:jira-work", "read:jira-user"]
    return Answer([{"id": CLOUD_ID, "url": call.home, "name": "sandbox", "scopes": scopes, "avatarUrl": avatar}])


def dashboard(call: Call) -> Answer:
    """Return a page where people land; scripts look here whether Jira is up."""
    return Answer(b"", 302, {"location": f"{call.home}/"})


ROUTES: Final = (
    Route("GET", f"{API}/serverInfo", server_info, open=True),
    Route("GET", f"{API}/configuration", configuration),
    Route("GET", f"{API}/applicationrole", lists(_application_role, lambda _: (_ROLE,)), need="ADMINISTER"),
    Route("GET", f"{API}/applicationrole/{{key}}", application_role, need="ADMINISTER"),
    Route("GET", "/status", says({"state": "RUNNING"}), open=True),
    Route("GET", "/rest/applinks/latest/listApplicationlinks", says({"list": []})),
    Route("GET", "/_edge/tenant_info", says({"cloudId": CLOUD_ID}), open=True),
    Route("GET", "/oauth/token/accessible-resources", resources),
    Route("GET", "/secure/Dashboard.jspa", dashboard, open=True),
)
