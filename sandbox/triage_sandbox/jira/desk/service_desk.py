"""Endpoints for service desks, their request types, and the fields that each type asks for."""

from typing import Final

from triage_sandbox.jira.call import Answer, Call, shows
from triage_sandbox.jira.desk.desks import agent, form_of, kind_of, of_path
from triage_sandbox.jira.desk.shapes import address, date, paged, spoken
from triage_sandbox.jira.ground.database import Row
from triage_sandbox.jira.issue.fields import fields
from triage_sandbox.jira.issue.fields.field import Field
from triage_sandbox.jira.shapes import Shape

_VERSION: Final = "5.17.0"


def info(call: Call) -> Answer:
    return Answer(
        {
            "version": _VERSION,
            "platformVersion": call.site.version,
            "buildDate": date(1_790_812_800_000),
            "buildChangeSet": "sandbox",
            "isLicensedForUse": True,
            "_links": {"self": address(call, "info")},
        }
    )


def shape(call: Call, row: Row) -> Shape:
    return {
        "id": str(row["id"]),
        "projectId": str(row["project"]),
        "projectName": row["name"],
        "projectKey": row["key"],
        "_links": {"self": address(call, f"servicedesk/{row['id']}")},
    }


def listed(call: Call) -> Answer:
    sql = "SELECT d.*, p.key, p.name FROM service_desk d JOIN project p ON p.id = d.project ORDER BY d.id"
    return Answer(paged(call, call.db.all(sql), shape))


# --- what can be asked for --------------------------------------------------------------------


def kind_shape(call: Call, row: Row) -> Shape:
    """Return a request type as JSON."""
    portal = {"portalId": str(row["desk"])} if call.site.cloud else {}
    icon = f"{call.base}/secure/viewavatar?avatarType=SD_REQTYPE&avatarId={row['id']}"
    return {
        "_expands": ["field"],
        "id": str(row["id"]),
        "_links": {"self": address(call, f"servicedesk/{row['desk']}/requesttype/{row['id']}")},
        "name": row["name"],
        "description": row["description"],
        "helpText": row["help"],
        "issueTypeId": str(row["type"]),
        "serviceDeskId": str(row["desk"]),
        **portal,
        "groupIds": [str(row["desk"])],
        "icon": {
            "id": str(row["id"]),
            "_links": {"iconUrls": dict.fromkeys(("48x48", "24x24", "16x16", "32x32"), icon)},
        },
    }


def kinds(call: Call) -> Answer:
    """Return a page of the request types of a desk, or of all desks."""
    asked = call.query("searchQuery").casefold()
    if "desk" in call.request.path_params:
        rows = call.db.all("SELECT * FROM request_type WHERE desk = ? ORDER BY id", of_path(call)["id"])
    else:
        rows = call.db.all("SELECT * FROM request_type ORDER BY desk, id")
    return Answer(paged(call, [row for row in rows if asked in row["name"].casefold()], kind_shape))


def one_kind(call: Call) -> Answer:
    return Answer(kind_shape(call, kind_of(call, of_path(call), call.part("type"))))


def kind_fields(call: Call) -> Answer:
    """Return the fields of a request type's form."""
    desk = of_path(call)
    row, project = kind_of(call, desk, call.part("type")), call.entry("project", desk["project"])
    asked = form_of(row)
    shown = [
        _field(call, project, field, required=asked[field.id])
        for field in fields.on_screen(call, project, " ".join(asked))
    ]
    may = agent(call, desk["project"])
    return Answer({"requestTypeFields": shown, "canRaiseOnBehalfOf": may, "canAddRequestParticipants": True})


def _field(call: Call, project: Row, field: Field, *, required: bool) -> Shape:
    choices = field.choices(call, project) if field.choices else []
    values: list[Shape] = [
        {"value": str(each["id"]), "label": each.get("name", each.get("value")), "children": []} for each in choices
    ]
    body: Shape = {
        "fieldId": field.id,
        "name": field.name,
        "description": "",
        "required": required,
        "defaultValues": [],
    }
    body |= {"validValues": values, "jiraSchema": field.schema}
    return body | ({"presetValues": [], "visible": True} if call.site.cloud else {})


_ONE: Final = "servicedesk/{desk}"
_TYPE: Final = f"{_ONE}/requesttype/{{type}}"

ROUTES: Final = (
    spoken("GET", "info", info),
    spoken("GET", "servicedesk", listed),
    spoken("GET", _ONE, shows(shape, of_path)),
    spoken("GET", "requesttype", kinds),
    spoken("GET", f"{_ONE}/requesttype", kinds),
    spoken("GET", _TYPE, one_kind),
    spoken("GET", f"{_TYPE}/field", kind_fields),
)
