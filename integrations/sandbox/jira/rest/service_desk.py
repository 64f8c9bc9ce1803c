"""Service desks over REST: what can be asked for, who may ask, and what waits for an answer."""

import re
from typing import Any, Final
from uuid import uuid4

from integrations.sandbox.jira import desks, fields, shapes
from integrations.sandbox.jira.call import DONE, Answer, Call, JiraError, Route, items_of, whole
from integrations.sandbox.jira.database import Row
from integrations.sandbox.jira.field import Field
from integrations.sandbox.jira.reading import Issues
from integrations.sandbox.jira.rest.desk_shapes import DESK, address, date, paged, person, spoken
from integrations.sandbox.jira.rest.issues import rendered
from integrations.sandbox.jira.rest.search import asker_of, plan_of
from integrations.sandbox.jira.shapes import Shape

_VERSION: Final = "5.17.0"
_QUEUES: Final = (
    ("All open", "resolution = Unresolved"),
    ("Unassigned", "resolution = Unresolved AND assignee is EMPTY"),
)
_COLUMNS: Final = ("issuetype", "issuekey", "summary", "created", "reporter", "duedate")


def info(call: Call) -> Answer:
    """What runs here."""
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


def find(call: Call, number: str) -> Row:
    """A desk by its id, or by its project's key or id as `projectKey:HELP` and `projectId:10001`."""
    how, _, value = number.rpartition(":")
    by = {"": "d.id = ?1 OR p.key = ?1", "projectKey": "p.key = ?1", "projectId": "p.id = ?1"}.get(how, "0 = ?1")
    row = call.db.one(
        f"SELECT d.*, p.key, p.name FROM service_desk d JOIN project p ON p.id = d.project WHERE {by}", value
    )
    if row is None:
        raise JiraError(404, "The Service Desk you are trying to view does not exist.")
    return row


def of_path(call: Call) -> Row:
    """The desk that the path means."""
    return find(call, call.part("desk"))


def agent(call: Call, project: int) -> bool:
    """The caller is on the team."""
    return call.may(desks.AGENT, project)


def need_agent(call: Call, project: int) -> None:
    """403 for those who are not on the team."""
    if not agent(call, project):
        raise JiraError(403, "You do not have permission to do this: only agents of the service desk can.")


def shape(call: Call, row: Row) -> Shape:
    """A desk."""
    return {
        "id": str(row["id"]),
        "projectId": str(row["project"]),
        "projectName": row["name"],
        "projectKey": row["key"],
        "_links": {"self": address(call, f"servicedesk/{row['id']}")},
    }


def listed(call: Call) -> Answer:
    """All desks."""
    sql = "SELECT d.*, p.key, p.name FROM service_desk d JOIN project p ON p.id = d.project ORDER BY d.id"
    return Answer(paged(call, call.db.all(sql), shape))


def one(call: Call) -> Answer:
    """One desk."""
    return Answer(shape(call, of_path(call)))


# --- what can be asked for --------------------------------------------------------------------


def kind_of(call: Call, desk: Row, number: str) -> Row:
    """A request type of a desk."""
    row = call.db.one("SELECT * FROM request_type WHERE id = ? AND desk = ?", number, desk["id"])
    if row is None:
        raise JiraError(404, "The request type you are trying to view does not exist.")
    return row


def kind_shape(call: Call, row: Row) -> Shape:
    """A request type."""
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
    """The request types of a desk, or of all desks."""
    asked = call.query("searchQuery").casefold()
    if "desk" in call.request.path_params:
        rows = call.db.all("SELECT * FROM request_type WHERE desk = ? ORDER BY id", of_path(call)["id"])
    else:
        rows = call.db.all("SELECT * FROM request_type ORDER BY desk, id")
    return Answer(paged(call, [row for row in rows if asked in row["name"].casefold()], kind_shape))


def one_kind(call: Call) -> Answer:
    """One request type."""
    return Answer(kind_shape(call, kind_of(call, of_path(call), call.part("type"))))


def form_of(row: Row) -> dict[str, bool]:
    """The fields of a request type, and whether each is required."""
    return {name.removesuffix("!"): name.endswith("!") for name in row["fields"].split()}


def kind_fields(call: Call) -> Answer:
    """What a request of this type has to say."""
    desk = of_path(call)
    row, project = kind_of(call, desk, call.part("type")), shapes.entry(call, "project", desk["project"])
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
    told: Shape = {
        "fieldId": field.id,
        "name": field.name,
        "description": "",
        "required": required,
        "defaultValues": [],
    }
    told |= {"validValues": values, "jiraSchema": field.schema}
    return told | ({"presetValues": [], "visible": True} if call.site.cloud else {})


# --- what waits -------------------------------------------------------------------------------


def queues(call: Call) -> Answer:
    """What the team looks at."""
    desk = of_path(call)
    need_agent(call, desk["project"])
    return Answer(paged(call, [(desk, number) for number in range(1, len(_QUEUES) + 1)], _queue))


def _queue(call: Call, item: tuple[Row, int]) -> Shape:
    desk, number = item
    name, jql = _QUEUES[number - 1]
    told: Shape = {"id": str(number), "name": name, "jql": f"project = {desk['key']} AND {jql} ORDER BY created ASC"}
    told |= {"fields": list(_COLUMNS), "_links": {"self": address(call, f"servicedesk/{desk['id']}/queue/{number}")}}
    if call.query("includeCount") == "true":
        asker = asker_of(call)
        told["issueCount"] = plan_of(call, told["jql"], asker).count(asker)
    return told


def _queue_of_path(call: Call) -> Shape:
    desk, number = of_path(call), whole(call.part("queue"), "queue", 0)
    need_agent(call, desk["project"])
    if not 0 < number <= len(_QUEUES):
        raise JiraError(404, "The queue does not exist.")
    return _queue(call, (desk, number))


def queue(call: Call) -> Answer:
    """One queue."""
    return Answer(_queue_of_path(call))


def queued(call: Call) -> Answer:
    """The tickets of a queue."""
    told, asker = _queue_of_path(call), asker_of(call)
    ids = plan_of(call, told["jql"], asker).ids(asker, 1000, 0)
    rows = [row for each in ids if (row := call.db.one("SELECT * FROM ticket WHERE id = ?", each)) is not None]
    page, chosen = Issues(call, rows), fields.wanted(call, _COLUMNS, "*navigable")
    return Answer(paged(call, rows, lambda _, row: rendered(page, row, chosen)))


# --- who asks ---------------------------------------------------------------------------------


def new_customer(call: Call) -> Answer:
    """An account that can ask for help and nothing else."""
    data = call.object()
    if not (call.may("ADMINISTER") or call.may(desks.AGENT)):
        raise JiraError(403, "You do not have permission to create customers.")
    email = str(data.get("email") or "").strip()
    name = str(data.get("displayName") or data.get("fullName") or "").strip() or email
    if not re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", email):
        raise JiraError(400, "The email address is not valid.")
    if call.db.one("SELECT 1 FROM account WHERE email = ?1 OR name = ?1", email) is not None:
        raise JiraError(400, f"An account already exists for this email: {email}")
    account = f"qm:{uuid4()}" if call.site.cloud else f"customer-{uuid4().hex[:12]}"
    row = {"id": account, "name": email, "shown": name, "email": email, "email_visible": 1, "active": 1}
    call.db.insert("account", row | {"kind": "customer"})
    return Answer(person(call, shapes.entry(call, "account", account)), 201)


def customers(call: Call) -> Answer:
    """Who may ask a desk."""
    desk, asked = of_path(call), call.query("query").casefold()
    need_agent(call, desk["project"])
    sql = "SELECT a.* FROM customer c JOIN account a ON a.id = c.account WHERE c.desk = ? ORDER BY a.shown"
    rows = [row for row in call.db.all(sql, desk["id"]) if asked in f"{row['shown']} {row['email']}".casefold()]
    return Answer(paged(call, rows, person))


def named(call: Call, data: dict[str, Any]) -> list[str]:
    """The accounts that a body lists, by the ids of the deployment."""
    found = []
    for name in items_of(data, "accountIds") or items_of(data, "usernames"):
        row = shapes.find_account(call, {"accountId": name, "name": name})
        if row is None:
            raise JiraError(400, f"The user '{name}' does not exist.")
        found.append(str(row["id"]))
    return found


def add_customers(call: Call) -> Answer:
    """More people may ask."""
    desk = of_path(call)
    need_agent(call, desk["project"])
    for account in named(call, call.object()):
        call.db.run("INSERT OR IGNORE INTO customer (desk, account) VALUES (?, ?)", desk["id"], account)
    return DONE


def remove_customers(call: Call) -> Answer:
    """Fewer people may ask."""
    desk = of_path(call)
    need_agent(call, desk["project"])
    for account in named(call, call.object()):
        call.db.run("DELETE FROM customer WHERE desk = ? AND account = ?", desk["id"], account)
    return DONE


def organizations(call: Call) -> Answer:
    """Nobody has founded any here."""
    if "desk" in call.request.path_params:
        of_path(call)
    return Answer(paged(call, [], shape))


_ONE: Final = f"{DESK}/servicedesk/{{desk}}"
_TYPE: Final = f"{_ONE}/requesttype/{{type}}"

ROUTES: Final = (
    Route("GET", f"{DESK}/info", spoken(info)),
    Route("GET", f"{DESK}/servicedesk", spoken(listed)),
    Route("GET", _ONE, spoken(one)),
    Route("GET", f"{DESK}/requesttype", spoken(kinds)),
    Route("GET", f"{_ONE}/requesttype", spoken(kinds)),
    Route("GET", _TYPE, spoken(one_kind)),
    Route("GET", f"{_TYPE}/field", spoken(kind_fields)),
    Route("GET", f"{_ONE}/queue", spoken(queues, experimental=True)),
    Route("GET", f"{_ONE}/queue/{{queue}}", spoken(queue, experimental=True)),
    Route("GET", f"{_ONE}/queue/{{queue}}/issue", spoken(queued, experimental=True)),
    Route("POST", f"{DESK}/customer", spoken(new_customer, experimental=True)),
    Route("GET", f"{_ONE}/customer", spoken(customers, experimental=True)),
    Route("POST", f"{_ONE}/customer", spoken(add_customers)),
    Route("DELETE", f"{_ONE}/customer", spoken(remove_customers)),
    Route("GET", f"{DESK}/organization", spoken(organizations, experimental=True)),
    Route("GET", f"{_ONE}/organization", spoken(organizations, experimental=True)),
)
