"""The sandbox's service desk, driven by the unmodified `jira` package, then as agents and as customers see it."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.servers.sandbox import RunningJira
from triage_sandbox.jira.ground.identity import Login, admit

OPT_IN = {"X-ExperimentalApi": "opt-in"}
NILS = {"cloud": "712020:91c04fb2-e7d8-419f-8ae2-665fedcdaf59", "server": "nils.brandt@northsea-tools.example"}
AMARA = {"cloud": "712020:3a7e60d9-15fc-42d2-849d-5be01c119550", "server": "amara.okoye@lumen-textiles.example"}
QUESTION = {"serviceDeskId": "1", "requestTypeId": "10", "requestFieldValues": {"summary": "How long?"}}


@pytest.fixture
def desk(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The interface of the desk, as the bot, who is an agent."""
    with any_jira.client("/rest/servicedeskapi", headers=OPT_IN) as client:
        yield client


@pytest.fixture
def customer(any_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The same as Nils, who only asks."""
    admit(any_jira.app.site.db, Login(name=NILS["server"], secret="n"))
    with any_jira.client("/rest/servicedeskapi", auth=(NILS["server"], "n"), headers=OPT_IN) as client:
        yield client


def who(people: dict[str, str], running: RunningJira) -> str:
    """A person by the id of the deployment."""
    return people["cloud" if running.cloud else "server"]


def people_in(running: RunningJira, people: dict[str, str]) -> dict[str, list[str]]:
    """A body that names somebody."""
    return {"accountIds" if running.cloud else "usernames": [who(people, running)]}


class TestPackage:
    """What the `jira` package does, call by call."""

    def test_the_desk(self, jira: Any) -> None:
        """It is there, with its project and its three request types, by id and by key."""
        assert jira.supports_service_desk()
        (found,) = jira.service_desks()
        assert (found.projectKey, jira.service_desk("1").projectName) == ("HELP", "Harbourline Help")
        assert jira.service_desk("HELP").id == found.id
        assert [kind.name for kind in jira.request_types(found)] == [
            "Ask a question",
            "Report a problem",
            "Request access",
        ]

    def test_a_request(self, jira: Any) -> None:
        """Raised by the name of its type, it is an issue of that type's kind in the project's first state."""
        fields = {"summary": "Ticket title here", "description": "*Ticket* body", "priority": {"name": "High"}}
        made = jira.create_customer_request(
            {"serviceDeskId": "1", "requestTypeId": "Report a problem", "requestFieldValues": fields}
        )

        assert (made.key, made.fields.issuetype.name) == ("HELP-4", "Incident")
        assert (made.fields.summary, made.fields.description) == ("Ticket title here", "*Ticket* body")
        assert (made.fields.status.name, made.fields.priority.name) == ("Waiting for support", "High")

    def test_a_customer(self, jira: Any, any_jira: RunningJira) -> None:
        """A new account that nobody can assign tickets to."""
        made = jira.create_customer("jo@example.com", "Jo Example")

        assert made.displayName == "Jo Example"
        asked = {"query": "jo"} if any_jira.cloud else {"username": "jo"}
        assert jira.search_assignable_users_for_issues(project="HELP", **asked) == []


class TestRequests:
    """Requests as agents handle them."""

    def test_shape(self, desk: httpx2.Client, any_jira: RunningJira) -> None:
        """What a client is told of a request, unfolded where it asks."""
        told = desk.get(
            "/request/HELP-1", params={"expand": "requestType,serviceDesk,participant,comment,status"}
        ).json()

        assert (told["issueKey"], told["requestTypeId"], told["serviceDeskId"]) == ("HELP-1", "10", "1")
        assert told["currentStatus"]["status"] == "Waiting for support"
        assert told["reporter"]["displayName"] == "Nils Brandt"
        assert told["requestFieldValues"][0] == {
            "fieldId": "summary",
            "label": "Summary",
            "value": "How long are proofs of delivery kept?",
        }
        assert (told["requestType"]["name"], told["serviceDesk"]["projectKey"]) == ("Ask a question", "HELP")
        assert (told["comments"]["size"], told["participants"]["size"], told["status"]["size"]) == (2, 0, 1)
        assert set(told["createdDate"]) == {"iso8601", "jira", "friendly", "epochMillis"}
        assert told["_links"]["web"].endswith("/servicedesk/customer/portal/1/HELP-1")

    def test_on_behalf_of_a_customer(self, desk: httpx2.Client, any_jira: RunningJira) -> None:
        """An agent asks for somebody, who is the reporter, with somebody else taking part."""
        more = {"raiseOnBehalfOf": who(NILS, any_jira), "requestParticipants": [who(AMARA, any_jira)]}
        made = desk.post("/request", json=QUESTION | more)

        assert made.status_code == 201
        assert made.json()["reporter"]["displayName"] == "Nils Brandt"
        taking_part = desk.get(f"/request/{made.json()['issueKey']}/participant").json()["values"]
        assert [person["displayName"] for person in taking_part] == ["Amara Okoye"]

    @pytest.mark.parametrize(
        ("wrong", "status", "words"),
        [
            ({"serviceDeskId": "99999999"}, 404, "Service Desk"),
            ({"requestTypeId": "99999999"}, 404, "request type"),
            ({"requestFieldValues": {}}, 400, "You must specify a summary"),
            ({"requestFieldValues": {"summary": "x", "duedate": "2026-12-01"}}, 400, "cannot be set"),
            ({"requestFieldValues": "summary"}, 400, "must be an object"),
            ({"raiseOnBehalfOf": "nobody-7"}, 400, "nobody-7"),
            ({"requestParticipants": ["nobody-7"]}, 400, "nobody-7"),
        ],
    )
    def test_what_cannot_be_asked(self, desk: httpx2.Client, wrong: dict[str, Any], status: int, words: str) -> None:
        """One sentence of why, and no ticket."""
        answer = desk.post("/request", json=QUESTION | wrong)

        assert answer.status_code == status
        assert words in answer.json()["errorMessage"]
        assert desk.get("/request/HELP-4").status_code == 404

    def test_required_fields(self, desk: httpx2.Client) -> None:
        """A problem has to be described; the form says so before."""
        form = desk.get("/servicedesk/1/requesttype/11/field").json()
        answer = desk.post("/request", json=QUESTION | {"requestTypeId": 11})

        assert {field["fieldId"]: field["required"] for field in form["requestTypeFields"]} == {
            "summary": True,
            "description": True,
            "priority": False,
        }
        assert form["canRaiseOnBehalfOf"] is True
        assert answer.json()["errorMessage"] == "description: This field is required."

    def test_moving(self, desk: httpx2.Client) -> None:
        """By the buttons of its own workflow, with a word on the way; its states are remembered."""
        ways = {way["name"]: way["id"] for way in desk.get("/request/HELP-1/transition").json()["values"]}
        assert set(ways) == {"Respond to customer", "Resolve this issue"}
        body = {"id": ways["Resolve this issue"], "additionalComment": {"body": "Answered."}}
        assert desk.post("/request/HELP-1/transition", json=body).status_code == 204

        states = [state["status"] for state in desk.get("/request/HELP-1/status").json()["values"]]
        assert states == ["Resolved", "Waiting for support"]
        assert desk.get("/request/HELP-1/comment").json()["values"][-1]["body"] == "Answered."
        assert desk.post("/request/HELP-1/transition", json=body).status_code == 400

    def test_slas(self, desk: httpx2.Client, customer: httpx2.Client, any_jira: RunningJira) -> None:
        """Answered is met, waiting for the customer pauses the other, resolved ends it; customers are not told."""
        for way in ("Respond to customer", "Resolve this issue"):
            before = desk.get("/request/HELP-3/sla").json()["values"]
            ways = {way["name"]: way["id"] for way in desk.get("/request/HELP-3/transition").json()["values"]}
            if way in ways:
                body = {"id": ways[way], "additionalComment": {"body": "Look here."}}
                desk.post("/request/HELP-3/transition", json=body).raise_for_status()
        after = desk.get("/request/HELP-3", params={"expand": "sla"}).json()["sla"]["values"]

        assert [each["name"] for each in after] == ["Time to first response", "Time to resolution"]
        assert [each["ongoingCycle"]["paused"] for each in before if "ongoingCycle" in each] == [True]
        assert all(each["completedCycles"][0]["stopTime"] and "ongoingCycle" not in each for each in after)
        assert customer.get("/request/HELP-1/sla").status_code == 403

    def test_queues(self, desk: httpx2.Client) -> None:
        """What waits, as a query and as tickets."""
        page = desk.get("/servicedesk/1/queue", params={"includeCount": "true"}).json()

        assert [(queue["name"], queue["issueCount"]) for queue in page["values"]] == [
            ("All open", 3),
            ("Unassigned", 3),
        ]
        tickets = desk.get("/servicedesk/1/queue/1/issue", params={"limit": 2}).json()
        assert [ticket["key"] for ticket in tickets["values"]] == ["HELP-1", "HELP-2"]
        assert (tickets["isLastPage"], tickets["size"]) == (False, 2)
        assert tickets["_links"]["next"].endswith("start=2")
        assert desk.get("/servicedesk/1/queue/9").status_code == 404

    def test_a_plain_issue_is_no_request(self, desk: httpx2.Client, any_jira: RunningJira) -> None:
        """What comes past the portal has no request type, and the portal does not show it."""
        issue = {"project": {"key": "HELP"}, "issuetype": {"name": "Task"}, "summary": "by hand"}
        with any_jira.api("2") as api:
            key = api.post("/issue", json={"fields": issue}).json()["key"]

        assert desk.get(f"/request/{key}").status_code == 404

    def test_experimental(self, any_jira: RunningJira) -> None:
        """Data Center wants to be asked for what may change, Cloud does not; organizations: none."""
        with any_jira.client("/rest/servicedeskapi") as shy:
            assert shy.get("/organization").status_code == (200 if any_jira.cloud else 412)
            assert shy.get("/organization", headers=OPT_IN).json()["values"] == []
            assert shy.get("/info").json()["platformVersion"] == any_jira.app.site.version


class TestConversation:
    """Who hears what."""

    def test_public_unless_internal(self, desk: httpx2.Client, customer: httpx2.Client, any_jira: RunningJira) -> None:
        """By either interface: only the property keeps a comment from customers, a role does not."""
        with any_jira.api("2") as api:
            for body in (
                {"body": "plain"},
                {"body": "kept", "properties": [{"key": "sd.public.comment", "value": {"internal": True}}]},
            ):
                api.post("/issue/HELP-1/comment", json=body)
        desk.post("/request/HELP-1/comment", json={"body": "open", "public": True})
        desk.post("/request/HELP-1/comment", json={"body": "closed", "public": False})

        def heard(client: httpx2.Client, **params: str) -> list[str]:
            page = client.get("/request/HELP-1/comment", params=params).json()
            return [comment["body"] for comment in page["values"]][2 if client is desk else 1 :]

        assert heard(desk) == ["plain", "kept", "open", "closed"]
        assert heard(customer) == ["plain", "open"]
        assert heard(customer, internal="true") == ["plain", "open"]
        public = desk.get("/request/HELP-1/comment", params={"public": "false"}).json()["values"]
        assert {comment["public"] for comment in public} == {False}

    def test_a_customer_answers(self, desk: httpx2.Client, customer: httpx2.Client) -> None:
        """In public only, and is known as the author."""
        made = customer.post("/request/HELP-1/comment", json={"body": "Those of May."})

        assert made.status_code == 201
        heard = desk.get("/request/HELP-1/comment").json()["values"][-1]
        assert (heard["body"], heard["author"]["displayName"]) == ("Those of May.", "Nils Brandt")
        assert customer.post("/request/HELP-1/comment", json={"body": "x", "public": False}).status_code == 403
        hidden = desk.get("/request/HELP-1/comment", params={"public": "false"}).json()["values"][0]["id"]
        assert customer.get(f"/request/HELP-1/comment/{hidden}").status_code == 404
        assert desk.get(f"/request/HELP-1/comment/{hidden}").status_code == 200

    def test_customers_see_their_own(self, desk: httpx2.Client, customer: httpx2.Client, any_jira: RunningJira) -> None:
        """Not those of others, until they take part; no queue, no customers, no ticket by the plain API."""
        assert [each["issueKey"] for each in customer.get("/request").json()["values"]] == ["HELP-1"]
        assert customer.get("/request/HELP-2").status_code == 404
        added = desk.post("/request/HELP-2/participant", json=people_in(any_jira, NILS))
        assert [person["displayName"] for person in added.json()["values"]] == ["Nils Brandt"]
        assert customer.get("/request/HELP-2").status_code == 200
        followed = customer.get("/request", params={"requestOwnership": "PARTICIPATED_REQUESTS"}).json()["values"]
        assert [each["issueKey"] for each in followed] == ["HELP-2"]
        for path in ("/servicedesk/1/queue", "/servicedesk/1/customer"):
            assert customer.get(path).status_code == 403
        with any_jira.api("2", auth=(NILS["server"], "n")) as api:
            assert api.get("/issue/HELP-1").status_code == 404
            assert (
                api.get("/search/jql" if any_jira.cloud else "/search", params={"jql": "project = HARB"}).json()[
                    "issues"
                ]
                == []
            )

    def test_customers_ask_for_themselves(self, customer: httpx2.Client, any_jira: RunningJira) -> None:
        """They raise requests, never in the name of another."""
        assert customer.post("/request", json=QUESTION).json()["reporter"]["displayName"] == "Nils Brandt"
        refused = customer.post("/request", json=QUESTION | {"raiseOnBehalfOf": who(AMARA, any_jira)})

        assert refused.status_code == 403
        assert "errorMessage" in refused.json()

    def test_customers_of_a_desk(self, desk: httpx2.Client, any_jira: RunningJira) -> None:
        """Listed, added and removed; an address is used once and has to be one."""
        made = desk.post("/customer", json={"email": "jo@example.com", "displayName": "Jo Example"})
        assert made.status_code == 201
        known = made.json()["accountId" if any_jira.cloud else "name"]
        body = {"accountIds" if any_jira.cloud else "usernames": [known]}
        assert desk.post("/servicedesk/1/customer", json=body).status_code == 204
        names = [person["displayName"] for person in desk.get("/servicedesk/1/customer").json()["values"]]
        assert names == ["Amara Okoye", "Jo Example", "Nils Brandt", "Pilar Santos"]
        assert desk.request("DELETE", "/servicedesk/1/customer", json=body).status_code == 204
        assert desk.get("/servicedesk/1/customer", params={"query": "jo"}).json()["values"] == []
        for email in ("jo@example.com", "not-an-email", ""):
            assert desk.post("/customer", json={"email": email, "displayName": "Again"}).status_code == 400

    def test_support_is_the_team(self, any_jira: RunningJira) -> None:
        """People of the support role answer; developers of the company do not."""
        admit(any_jira.app.site.db, Login(name="carla.jimenez", secret="c"))
        admit(any_jira.app.site.db, Login(name="oskar.lindqvist", secret="o"))
        answers = []
        for name, secret in (("carla.jimenez", "c"), ("oskar.lindqvist", "o")):
            with any_jira.client("/rest/servicedeskapi", auth=(name, secret), headers=OPT_IN) as client:
                answers.append([client.get(path).status_code for path in ("/request/HELP-1", "/servicedesk/1/queue")])

        assert answers == [[200, 200], [404, 403]]
