"""Where Cloud and Data Center differ, the sandbox differs, too."""

import httpx2

from tests.servers.sandbox import RunningJira

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}


def problems(answer: httpx2.Response) -> dict[str, str]:
    """The fields that a 400 complains about."""
    assert answer.status_code == 400
    errors: dict[str, str] = answer.json()["errors"]
    return errors


class TestDeployments:
    """Where Cloud and Server part ways."""

    def test_the_classic_search_is_gone_from_cloud(self, cloud_jira: RunningJira) -> None:
        """410 in words that name the way out, on both versions and methods."""
        with cloud_jira.client("/rest/api") as api:
            for answer in (api.get("/2/search?jql=project=HARB"), api.post("/3/search", json={"jql": "project=HARB"})):
                assert answer.status_code == 410
                assert "/rest/api/3/search/jql" in answer.json()["errorMessages"][0]

    def test_server_has_no_v3_and_no_enhanced_search(self, server_jira: RunningJira) -> None:
        """What it never had is 404."""
        with server_jira.client("/rest/api") as api:
            for path in ("/3/myself", "/2/search/jql?jql=project=HARB", "/2/nothing", "/4/serverInfo"):
                assert api.get(path).status_code == 404
            assert api.post("/2/issue/bulkfetch", json={"issueIdsOrKeys": ["HARB-1"]}).status_code == 404

    def test_enhanced_search_gives_ids_only(self, cloud_jira: RunningJira) -> None:
        """Without `fields` there is nothing but the id, and never a total."""
        with cloud_jira.api("3") as api:
            page = api.get("/search/jql", params={"jql": "key = HARB-3"}).json()

            assert set(page) == {"issues", "isLast"}
            assert [set(issue) for issue in page["issues"]] == [{"id"}]

    def test_enhanced_search_has_limits(self, cloud_jira: RunningJira) -> None:
        """Unbounded queries, foreign tokens and too many ids to reconcile are refused."""
        with cloud_jira.api("3") as api:
            for jql in ("", "ORDER BY created"):
                answer = api.post("/search/jql", json={"jql": jql})
                assert "Unbounded JQL" in answer.json()["errorMessages"][0]
            assert api.post("/search/approximate-count", json={"jql": ""}).status_code == 400
            first = api.post("/search/jql", json={"jql": "project = HARB", "maxResults": 1}).json()
            token = {"nextPageToken": first["nextPageToken"]}
            assert api.post("/search/jql", json={"jql": "project = HARB", **token}).status_code == 200
            assert api.post("/search/jql", json={"jql": "key = HARB-1", **token}).status_code == 400
            many = {"jql": "project = HARB", "reconcileIssues": list(range(51))}
            assert api.post("/search/jql", json=many).status_code == 400

    def test_cloud_hides_names_and_most_addresses(self, cloud_jira: RunningJira) -> None:
        """AccountId for everybody, an address for those who show it, a user name for nobody."""
        with cloud_jira.api("3") as api:
            people = api.get("/user/assignable/search", params={"project": "HARB"}).json()

            assert len(people) == 14
            assert all(who["accountId"] for who in people)
            assert not any("name" in who or "key" in who for who in people)
            assert sum("emailAddress" in who for who in people) == 3
            answer = api.get("/user/assignable/search", params={"project": "HARB", "username": "os"})
            assert answer.status_code == 400
            assert "GDPR" in answer.json()["errorMessages"][0]
            assert api.get("/user/assignable/search").status_code == 400

    def test_bulk_fetch_reads_what_is_there(self, cloud_jira: RunningJira) -> None:
        """Up to a hundred keys; those without a ticket are left out."""
        with cloud_jira.api("3") as api:
            keys = [f"HARB-{number}" for number in range(69, 75)]
            page = api.post("/issue/bulkfetch", json={"issueIdsOrKeys": keys, "fields": ["labels", "creator"]}).json()

            assert [issue["key"] for issue in page["issues"]] == ["HARB-69", "HARB-70"]
            assert set(page["issues"][0]["fields"]) == {"labels", "creator"}
            many = {"issueIdsOrKeys": [str(number) for number in range(101)]}
            assert api.post("/issue/bulkfetch", json=many).status_code == 400

    def test_resolution_is_asked_for_where_the_workflow_does(self, any_jira: RunningJira, api: httpx2.Client) -> None:
        """Server's done button has a screen that demands it; Cloud's refuses it."""
        steps = api.get("/issue/HARB-70/transitions", params={"expand": "transitions.fields"}).json()["transitions"]
        close = next(step for step in steps if step["to"]["statusCategory"]["key"] == "done")

        assert ("resolution" in close["fields"]) is not any_jira.cloud
        plain = {"transition": {"id": close["id"]}}
        resolved = {**plain, "fields": {"resolution": {"name": "Duplicate"}}}
        wrong, right = (resolved, plain) if any_jira.cloud else (plain, resolved)
        assert "resolution" in problems(api.post("/issue/HARB-70/transitions", json=wrong))
        assert api.post("/issue/HARB-70/transitions", json=right).status_code == 204
