"""People of the sandbox: what each deployment tells of them, how they are found, and how accounts come and go."""

from typing import Any

import httpx2
import pytest

from tests.contract.tracker.tracker_people import crowd
from tests.servers.sandbox import RunningJira

OSKAR = "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4"
NADIA = "5f3c91a7e04b2d68c1f01c22"


def names(answer: httpx2.Response) -> list[str]:
    """Who was found."""
    assert answer.status_code == 200
    return [str(who["displayName"]) for who in answer.json()]


class TestOneself:
    """Who is asking."""

    def test_groups_are_counted_and_told_on_request_only(self, api: httpx2.Client) -> None:
        """`items` is empty unless it is expanded: easy to take for somebody without groups."""
        plain = api.get("/myself").json()
        whole = api.get("/myself?expand=groups,applicationRoles").json()

        assert plain["groups"]["size"] == len(whole["groups"]["items"]) > 0
        assert (plain["groups"]["items"], plain["applicationRoles"]["items"]) == ([], [])
        assert [role["key"] for role in whole["applicationRoles"]["items"]] == ["jira-software"]

    def test_cloud_shows_everybody_their_own_address(self, cloud: httpx2.Client) -> None:
        """And of others only those that are shown."""
        assert cloud.get("/myself").json()["emailAddress"] == "bot@harbourline.example"
        assert "emailAddress" not in cloud.get("/user", params={"accountId": OSKAR}).json()
        assert "emailAddress" in cloud.get("/user", params={"accountId": NADIA}).json()


class TestReferences:
    """Cloud knows accountIds, Data Center names and keys."""

    @pytest.mark.parametrize(
        "path",
        [
            "/user?username=oskar.lindqvist",
            "/user?key=JIRAUSER10200",
            "/user/search?username=os",
            "/user/assignable/search?project=HARB&username=os",
            "/user/assignable/multiProjectSearch?projectKeys=HARB&username=os",
            "/user/viewissue/search?issueKey=HARB-3&username=os",
            "/user/permission/search?projectKey=HARB&permissions=BROWSE_PROJECTS&username=os",
        ],
    )
    def test_cloud_takes_no_names(self, cloud: httpx2.Client, path: str) -> None:
        """400 in the words of its privacy rules."""
        refused = cloud.get(path)

        assert refused.status_code == 400
        assert "GDPR strict mode" in refused.json()["errorMessages"][0]

    def test_data_center_takes_names_and_keys(self, server: httpx2.Client) -> None:
        """Both lead to the same person; nobody says so with the name."""
        by_name = server.get("/user?username=oskar.lindqvist").json()
        by_key = server.get(f"/user?key={by_name['key']}").json()

        assert by_name == by_key
        assert not {"accountId", "accountType"} & by_name.keys()
        nobody = server.get("/user?username=nobody")
        assert nobody.status_code == 404
        assert nobody.json()["errorMessages"] == ["The user named 'nobody' does not exist"]

    def test_addresses_are_for_approved_apps(self, cloud: httpx2.Client) -> None:
        """400 for everybody else, administrators included."""
        assert cloud.get("/user/email", params={"accountId": OSKAR}).status_code == 400

    def test_nobody_without_a_reference(self, api: httpx2.Client) -> None:
        """400: it has to be said who is meant."""
        assert api.get("/user").status_code == 400


class TestSearches:
    """Each search answers a question of its own."""

    def test_who_there_is(self, cloud: httpx2.Client, server: httpx2.Client) -> None:
        """By the beginning of a name or an address; nothing asked is a 400, nobody found an empty list."""
        assert names(cloud.get("/user/search?query=lind")) == ["Oskar Lindqvist"]
        assert names(cloud.get("/user/search?query=oskar.lindqvist@")) == ["Oskar Lindqvist"]
        assert names(cloud.get(f"/user/search?accountId={OSKAR}")) == ["Oskar Lindqvist"]
        assert names(server.get("/user/search?username=lind")) == ["Oskar Lindqvist"]
        assert names(cloud.get("/user/search?query=nobody-of-this-name")) == []
        assert cloud.get("/user/search").status_code == server.get("/user/search").status_code == 400

    def test_data_center_leaves_out_who_has_left(self, cloud: httpx2.Client, server: httpx2.Client) -> None:
        """Unless they are asked for; Cloud shows them as inactive."""
        assert names(server.get("/user/search?username=milan")) == []
        assert names(server.get("/user/search?username=milan&includeInactive=true")) == ["Milan Petrović"]
        assert names(cloud.get("/user/search?query=milan")) == ["Milan Petrović"]

    def test_who_can_be_given_a_ticket(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """No apps, nobody who has left, nobody who lacks the permission; and a project or a ticket must be named."""
        everybody = names(api.get("/user/assignable/search?project=HARB&maxResults=100"))

        assert "Oskar Lindqvist" in everybody
        assert not {"Milan Petrović", "Release Notes Connector"} & set(everybody)
        assert names(api.get("/user/assignable/search?issueKey=HARB-3&maxResults=100")) == everybody
        assert api.get("/user/assignable/search").status_code == 400
        with any_jira.client() as door:
            body = {"user": OSKAR, "deny": ["ASSIGNABLE_USER"], "project": "HARB"}
            door.post("/__sandbox__/permissions", json=body).raise_for_status()
        assert "Oskar Lindqvist" not in names(api.get("/user/assignable/search?project=HARB&maxResults=100"))
        several = api.get("/user/assignable/multiProjectSearch?projectKeys=HARB,HELP&maxResults=100")
        assert "Oskar Lindqvist" not in names(several)

    def test_who_may_see_or_do_something(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Seeing wants a name to look for, doing wants the permissions named."""
        asked = "query=os" if any_jira.cloud else "username=os"

        assert names(api.get(f"/user/viewissue/search?projectKey=HARB&{asked}")) == ["Oskar Lindqvist"]
        assert api.get("/user/viewissue/search?projectKey=HARB").status_code == 400
        deleters = names(api.get("/user/permission/search?projectKey=HARB&permissions=DELETE_ISSUES"))
        assert set(deleters) == {"Greta Vogel", "Nadia Ferreira", "Triage Bot"}
        assert api.get("/user/permission/search?projectKey=HARB").status_code == 400
        assert api.get("/user/permission/search?projectKey=HARB&permissions=FLY").status_code == 400

    def test_pickers_mark_what_was_found(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """With totals, and the part that was typed in bold; people and groups at once, too."""
        picked = api.get("/user/picker?query=os").json()
        both = api.get("/groupuserpicker?query=jira-a").json()

        assert (picked["total"], picked["users"][0]["displayName"]) == (1, "Oskar Lindqvist")
        assert picked["users"][0]["html"].startswith("<b>Os</b>kar Lindqvist")
        assert ("accountId" in picked["users"][0]) is any_jira.cloud
        assert (both["users"]["total"], both["groups"]["groups"][0]["name"]) == (0, "jira-administrators")

    def test_pages(self, cloud: httpx2.Client) -> None:
        """Everybody once, by pages; several people by their ids."""
        pages = [names(cloud.get(f"/users/search?maxResults=6&startAt={start}")) for start in (0, 6, 12, 18)]
        bulk = cloud.get(f"/user/bulk?accountId={OSKAR}&accountId={NADIA}&accountId=nobody").json()

        assert len(pages[0]) == 6
        assert len({who for page in pages for who in page}) == sum(map(len, pages))
        assert ({who["accountId"] for who in bulk["values"]}, bulk["total"]) == ({OSKAR, NADIA}, 2)
        assert cloud.get("/user/bulk").status_code == 400


class TestAccounts:
    """Made and removed by an administrator."""

    def test_an_account_comes_and_goes(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """With its password it is let in at once; gone it is nobody."""
        wish = {"name": "tess", "password": "pw", "emailAddress": "tess@example.com", "displayName": "Tess"}
        made = api.post("/user", json=wish)
        reference = {"accountId": made.json()["accountId"]} if any_jira.cloud else {"username": "tess"}

        assert made.status_code == 201
        assert made.json()["groups"]["size"] > 0
        assert api.get("/myself", auth=("tess@example.com", "pw")).json()["displayName"] == "Tess"
        again = api.post("/user", json=wish)
        assert (again.status_code, list(again.json()["errors"])) == (400, ["username"])
        assert api.delete("/user", params=reference).status_code == 204
        assert api.get("/user", params=reference).status_code == 404
        assert api.get("/myself", auth=("tess@example.com", "pw")).status_code == 401

    def test_everything_that_is_wrong_at_once(self, server: httpx2.Client) -> None:
        """Name, address and full name."""
        assert set(server.post("/user", json={}).json()["errors"]) == {"name", "emailAddress", "displayName"}

    def test_who_has_left_traces_is_kept(self, cloud: httpx2.Client, server: httpx2.Client) -> None:
        """Data Center refuses to remove them; Cloud keeps a former user without a name."""
        refused = server.delete("/user?username=oskar.lindqvist")

        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["username"])
        assert cloud.delete(f"/user?accountId={OSKAR}").status_code == 204
        left: dict[str, Any] = cloud.get(f"/user?accountId={OSKAR}").json()
        assert (left["displayName"], left["active"]) == ("Former user", False)

    def test_only_administrators(self, api: httpx2.Client) -> None:
        """Others hear 403."""
        wish = {"name": "tess", "password": "pw", "emailAddress": "tess@example.com", "displayName": "Tess"}
        api.post("/user", json=wish).raise_for_status()
        tess = ("tess@example.com", "pw")

        assert api.post("/user", json={**wish, "name": "other"}, auth=tess).status_code == 403
        assert api.post("/group", json={"name": "x"}, auth=tess).status_code == 403


class TestGroups:
    """Groups and who is in them."""

    def test_a_group_comes_and_goes(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Made, filled, read by name and by id, emptied, gone."""
        made = api.post("/group", json={"name": "Night shift"})
        reference = {"accountId": OSKAR} if any_jira.cloud else {"name": "oskar.lindqvist"}
        added = api.post("/group/user?groupname=Night shift", json=reference)

        assert (made.status_code, made.json()["users"]["size"]) == (201, 0)
        assert ("groupId" in made.json()) is any_jira.cloud
        assert (added.status_code, added.json()["name"], added.json()["users"]["size"]) == (201, "Night shift", 1)
        assert api.post("/group/user?groupname=Night shift", json=reference).status_code == 400
        members = api.get("/group/member?groupname=Night shift").json()
        assert ([who["displayName"] for who in members["values"]], members["isLast"]) == (["Oskar Lindqvist"], True)
        removed = {"groupname": "Night shift", "accountId": OSKAR, "username": "oskar.lindqvist"}
        assert api.delete("/group/user", params=removed).status_code == 200
        assert api.get("/group/member?groupname=Night shift").json()["total"] == 0
        assert api.delete("/group?groupname=Night shift").status_code == 200
        assert api.get("/group?groupname=Night shift").status_code == 404
        assert api.delete("/group?groupname=Night shift").status_code == 404

    def test_members_by_pages(self, api: httpx2.Client) -> None:
        """Old clients page inside `expand`, new ones as everywhere; who has left is left out."""
        first = api.get("/group?groupname=jira-software-users&expand=users[0:4]").json()["users"]
        second = api.get("/group?groupname=jira-software-users&expand=users[5:99]").json()["users"]
        active = api.get("/group/member?groupname=jira-software-users").json()["total"]
        everybody = api.get("/group/member?groupname=jira-software-users&includeInactiveUsers=true").json()["total"]

        assert (len(first["items"]), first["end-index"]) == (5, 4)
        assert len(first["items"]) + len(second["items"]) == first["size"] == everybody == active + 1
        assert api.get("/group?groupname=jira-software-users").json()["users"]["items"] == []

    def test_next_page_is_an_address(self, api: httpx2.Client) -> None:
        """Clients that follow it see everybody once."""
        seen: list[str] = []
        where: str | None = "/group/member?groupname=jira-software-users&maxResults=5"
        while where is not None:
            page = api.get(where).json()
            seen += [who["displayName"] for who in page["values"]]
            where = page.get("nextPage")

        assert len(seen) == len(set(seen)) == page["total"]


class TestLists:
    """Who can be given a ticket, from lists that are cut as Atlassian's documents say."""

    def test_cloud_cuts_before_it_looks_who_fits(self, cloud_jira: RunningJira, cloud: httpx2.Client) -> None:
        """A page may be short or empty while more follow, and behind the thousandth nobody is looked at."""
        crowd(cloud_jira, assignable=350, others=800)
        pages = [
            len(
                names(
                    cloud.get("/user/assignable/search", params={"project": "HARB", "startAt": at, "maxResults": 200})
                )
            )
            for at in range(0, 1400, 200)
        ]

        assert all(page < 100 for page in pages)
        assert 0 < sum(pages[:5]) < 350
        assert pages[5:] == [0, 0]

    def test_data_center_gives_a_hundred_and_turns_no_pages(
        self, server_jira: RunningJira, server: httpx2.Client
    ) -> None:
        """Whatever is asked for; a beginning of the name chooses others."""
        crowd(server_jira, assignable=350, others=0)
        first = names(server.get("/user/assignable/search?project=HARB&maxResults=1000"))
        second = names(server.get("/user/assignable/search?project=HARB&maxResults=1000&startAt=100"))
        chosen = names(server.get("/user/assignable/search?project=HARB&maxResults=1000&username=j0"))

        assert len(first) == 100
        assert first == second
        assert len(chosen) == 35
