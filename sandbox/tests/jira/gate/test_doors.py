"""Who comes into the sandbox and by which address: credentials of every kind, context path, gateway, this machine only."""

from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.servers.sandbox import RunningJira
from tests.servers.sites import running
from triage_sandbox.jira import Fault, Login, Story, jira_app
from triage_sandbox.jira.gate.door import GATEWAY

BUG = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}}
BARE = Story.of_company(tickets=False)


class TestStrangers:
    """Whoever cannot prove who they are."""

    @pytest.mark.parametrize("auth", [("bot@harbourline.example", "wrong"), ("nobody@example.com", "sandbox-token")])
    def test_a_dead_token_looks_like_an_empty_cloud(self, cloud_jira: RunningJira, auth: tuple[str, str]) -> None:
        """Search answers 200 with nothing in it, and only a header tells; most else is 401 or 404."""
        with cloud_jira.api("3", auth=auth) as api:
            search = api.get("/search/jql", params={"jql": "project = HARB", "fields": "summary"})

            assert (search.status_code, search.json()["issues"]) == (200, [])
            assert search.headers["x-seraph-loginreason"] == "AUTHENTICATED_FAILED"
            assert api.get("/myself").status_code == 401
            assert api.get("/issue/HARB-3").status_code == 404
            assert api.get("/project/HARB").status_code == 404
            assert api.get("/serverInfo").status_code == 200
            assert api.post("/issue", json={"fields": {**BUG, "summary": "x"}}).status_code == 401

    def test_data_center_answers_wrong_passwords_with_a_page(self, server_jira: RunningJira) -> None:
        """401 and HTML, for search too."""
        with server_jira.api(auth=("triage.bot", "wrong")) as api:
            answer = api.get("/search", params={"jql": "project = HARB"})

        assert answer.status_code == 401
        assert "text/html" in answer.headers["content-type"]

    def test_a_personal_token_opens(self, server_jira: RunningJira) -> None:
        """Bearer with the token alone says who comes."""
        with server_jira.api(auth=None) as api:
            right = api.get("/myself", headers={"Authorization": f"Bearer {server_jira.token}"})

            assert right.json()["name"] == "triage.bot"
            assert api.get("/myself", headers={"Authorization": "Bearer wrong"}).status_code == 401

    @pytest.mark.parametrize("header", ["", "Basic", "Basic ///", "Basic gA==", "Digest x", "Bearer"])
    def test_broken_credentials_are_no_credentials(self, cloud_jira: RunningJira, header: str) -> None:
        """Nothing that can stand in the header breaks the door."""
        with cloud_jira.api(auth=None) as api:
            assert api.get("/myself", headers={"Authorization": header}).status_code == 401

    def test_a_file_needs_the_header_against_forged_forms(self, api: httpx2.Client) -> None:
        """403 without X-Atlassian-Token, 413 over the limit."""
        assert api.post("/issue/HARB-3/attachments", files={"file": ("x", b"x")}).status_code == 403
        limit = api.get("/attachment/meta").json()["uploadLimit"]
        headers = {"X-Atlassian-Token": "no-check"}
        large = api.post("/issue/HARB-3/attachments", files={"file": ("x", b"x" * (limit + 1))}, headers=headers)
        assert large.status_code == 413


class TestSessions:
    """A password for a cookie."""

    def test_a_cookie_lasts_until_it_is_given_back(self, any_jira: RunningJira) -> None:
        """Signing in says what the cookie is, signing out makes it worthless."""
        with any_jira.client(auth=None) as client:
            name, secret = any_jira.login
            login = client.post("/rest/auth/1/session", json={"username": name, "password": secret})

            assert login.json()["session"]["name"] == "JSESSIONID"
            assert login.json()["session"]["value"] == client.cookies["JSESSIONID"]
            assert client.get("/rest/auth/1/session").json()["name"] == name
            assert client.get("/rest/api/2/myself").json()["displayName"] == "Triage Bot"
            assert client.delete("/rest/auth/1/session").status_code == 204
            assert client.get("/rest/api/2/myself").status_code == 401
            assert client.delete("/rest/auth/1/session").status_code == 401

    def test_a_wrong_password_gets_no_cookie(self, any_jira: RunningJira) -> None:
        """401 in Jira's words, and nobody is signed in."""
        with any_jira.client(auth=None) as client:
            refused = client.post("/rest/auth/1/session", json={"username": "triage.bot", "password": "wrong"})

            assert (refused.status_code, refused.json()["errorMessages"]) == (401, ["Login failed"])
            assert not client.cookies
            assert client.get("/rest/auth/1/session").status_code == 401

    def test_a_captcha_stands_before_the_password(self, server_jira: RunningJira) -> None:
        """403 with the header that tells people where to go."""
        server_jira.fault(Fault(do="captcha", path="/myself"))
        with server_jira.api() as client:
            denied = client.get("/myself")

            assert denied.status_code == 403
            assert denied.headers["x-authentication-denied-reason"].startswith("CAPTCHA_CHALLENGE; login-url=http")
            assert denied.headers["x-seraph-loginreason"] == "AUTHENTICATION_DENIED"
            assert client.get("/myself").status_code == 200


class TestTokens:
    """Personal access tokens of Data Center."""

    def test_a_token_is_told_once_and_can_be_taken_back(self, server_jira: RunningJira) -> None:
        """The list knows its name and its days; what it is stands in the first answer only."""
        with server_jira.client() as client:
            wish = {"name": "bot", "expirationDuration": 90}
            made = client.post("/rest/pat/latest/tokens", json=wish)
            (listed,) = client.get("/rest/pat/latest/tokens").json()
            bearer = {"Authorization": f"Bearer {made.json()['rawToken']}"}

            assert made.status_code == 201
            assert (listed["id"], listed["name"], "rawToken" in listed) == (made.json()["id"], "bot", False)
            assert client.get("/rest/api/2/myself", headers=bearer, auth=None).json()["name"] == "triage.bot"
            assert client.delete(f"/rest/pat/latest/tokens/{listed['id']}").status_code == 204
            assert client.get("/rest/api/2/myself", headers=bearer, auth=None).status_code == 401
            assert client.delete(f"/rest/pat/latest/tokens/{listed['id']}").status_code == 404

    def test_a_token_has_an_end(self, server_jira: RunningJira) -> None:
        """A day later by the site's clock it opens nothing."""
        with server_jira.client() as client:
            wish = {"name": "short", "expirationDuration": 1}
            token = client.post("/rest/pat/latest/tokens", json=wish).json()["rawToken"]
            bearer = {"Authorization": f"Bearer {token}"}

            assert client.get("/rest/api/2/myself", headers=bearer, auth=None).status_code == 200
            client.post("/__sandbox__/time", json={"advance": 86_401})
            assert client.get("/rest/api/2/myself", headers=bearer, auth=None).status_code == 401

    @pytest.mark.parametrize("wish", [{}, {"name": " "}, {"name": "x", "expirationDuration": -1}])
    def test_a_token_needs_a_name(self, server_jira: RunningJira, wish: object) -> None:
        """400, and none is made."""
        with server_jira.client() as client:
            assert client.post("/rest/pat/latest/tokens", json=wish).status_code == 400
            assert client.get("/rest/pat/latest/tokens").json() == []


class TestAddresses:
    """Where a site is found."""

    def test_everything_stands_below_the_context_path(self) -> None:
        """API, pages, files and links; beside it there is nothing."""
        with running(deployment="server", context_path="/jira/", seed=True) as jira, jira.client() as client:
            info = client.get("/jira/rest/api/2/serverInfo").json()
            files = {"file": ("a.txt", b"text")}
            sent = client.post(
                "/jira/rest/api/2/issue/HARB-3/attachments", files=files, headers={"X-Atlassian-Token": "no-check"}
            )

            assert info["baseUrl"] == f"{jira.url}/jira"
            assert sent.json()[0]["content"].startswith(f"{jira.url}/jira/secure/attachment/")
            assert client.get(sent.json()[0]["content"]).content == b"text"
            assert client.get("/rest/api/2/serverInfo").status_code == 404
            assert client.get("/jirarest/api/2/serverInfo").status_code == 404
            assert 'href="/jira/browse/' in client.get("/jira/").text
            assert client.get("/").headers["location"] == "/jira/"
            assert client.get("/jira/secure/Dashboard.jspa").headers["location"] == f"{jira.url}/jira/"
            assert [entry.path for entry in jira.requests("POST")] == ["/rest/api/2/issue/HARB-3/attachments"]

    def test_an_address_behind_a_proxy(self) -> None:
        """All links are those that people use, the gateway's too."""
        with running(base_url="https://jira.example/", seed=BARE) as jira, jira.api() as api, jira.client() as client:
            through = client.get(f"{GATEWAY}/rest/api/3/project/HARB").json()

            assert api.get("/project/HARB").json()["self"].startswith("https://jira.example/rest/api/3/project/")
            assert through["self"].startswith(f"https://jira.example{GATEWAY}/rest/api/3/project/")
            assert client.get(f"{GATEWAY}/rest/api/3/serverInfo").json()["baseUrl"] == "https://jira.example"

    def test_slashes_are_forgiven(self, any_jira: RunningJira) -> None:
        """Doubled ones, and one at the end, as clients make them."""
        name = f"accountId={any_jira.bot}" if any_jira.cloud else f"username={any_jira.user}"
        with any_jira.client() as client:
            assert client.get(f"{any_jira.url}//rest//api/2/user/?{name}").status_code == 200

    def test_scoped_secrets_open_the_gateway_only(self) -> None:
        """On the site's own address they are nobody's; ordinary ones open both."""
        logins = (
            Login(name="robot@example.com", secret="scoped-secret", admin=True, scoped=True),
            Login(name="ann@example.com", secret="plain-secret"),
        )
        with running(seed=BARE, logins=logins) as jira, jira.client(auth=None) as client:
            edge = client.get("/_edge/tenant_info").json()["cloudId"]
            scoped, plain = ("robot@example.com", "scoped-secret"), ("ann@example.com", "plain-secret")
            bearer = {"Authorization": "Bearer scoped-secret"}

            assert f"/ex/jira/{edge}" == GATEWAY
            assert client.get("/rest/api/3/myself", auth=scoped).status_code == 401
            assert client.get(f"{GATEWAY}/rest/api/3/myself", auth=scoped).status_code == 200
            assert client.get(f"{GATEWAY}/rest/api/3/myself", headers=bearer).status_code == 200
            assert client.get("/rest/api/3/myself", auth=plain).status_code == 200
            assert client.get(f"{GATEWAY}/rest/api/3/myself", auth=plain).status_code == 200
            assert client.get("/ex/jira/another-site/rest/api/3/myself", auth=plain).status_code == 404
            sites = client.get("/oauth/token/accessible-resources", auth=plain).json()
            assert [(site["id"], site["url"]) for site in sites] == [(edge, jira.url)]

    def test_data_center_has_no_gateway(self, server_jira: RunningJira) -> None:
        """404, as for any page that is none."""
        with server_jira.client() as client:
            assert client.get(f"{GATEWAY}/rest/api/2/myself").status_code == 404

    async def test_pages_of_our_own_are_for_this_machine(self) -> None:
        """From elsewhere the API answers, the board and the sandbox's own door do not."""
        away = httpx2.ASGITransport(app=jira_app(seed=BARE), client=("192.0.2.7", 4711))
        async with httpx2.AsyncClient(transport=away, base_url="http://jira.example") as client:
            assert (await client.get("/rest/api/3/serverInfo")).status_code == 200
            for path in ("/", "/browse/HARB-1", "/events", "/__sandbox__/requests", "/rest/../__sandbox__/time"):
                assert (await client.get(path)).status_code in {403, 404}


class TestSite:
    """What can be chosen when a sandbox is made."""

    def test_a_file_survives(self, tmp_path: Path) -> None:
        """A second sandbox over the same file goes on where the first one stopped."""
        file = tmp_path / "jira.db"
        ticket = {"fields": {**BUG, "summary": "kept"}}
        keys = []
        for _ in range(2):
            with running(database=file) as jira, jira.api() as api:
                keys.append(api.post("/issue", json=ticket).json()["key"])

        assert keys == ["HARB-71", "HARB-72"]

    def test_open_doors(self) -> None:
        """Without strictness anybody comes in, as the bot or as whom they name."""
        with running(strict=False, seed=False) as jira:
            names = []
            for auth in (None, ("a@example.com", "x"), ("oskar.lindqvist", "y")):
                with jira.api(auth=auth) as api:
                    names.append(api.get("/myself").json()["displayName"])
                    assert api.get("/issue/HARB-1").status_code == 404

        assert names == ["Triage Bot", "Triage Bot", "Oskar Lindqvist"]

    def test_open_doors_remember_who_signed_in(self) -> None:
        """A cookie says who comes, also where nobody has to say so."""
        with running(strict=False, seed=False) as jira, jira.client(auth=None) as client:
            client.post("/rest/auth/1/session", json={"username": "oskar.lindqvist", "password": "any"})

            assert client.get("/rest/api/2/myself").json()["displayName"] == "Oskar Lindqvist"

    def test_an_address_of_its_own(self) -> None:
        """Behind a proxy the addresses in answers are those that people use; secrets can be given."""
        traits: dict[str, Any] = {
            "version": "8.22.0",
            "base_url": "https://jira.example/",
            "logins": [Login(name="ben.adeyemi", secret="s")],
        }
        with running(deployment="server", **traits) as jira, jira.api(auth=("ben.adeyemi", "s")) as api:
            info = api.get("/serverInfo").json()

            assert (info["baseUrl"], info["versionNumbers"]) == ("https://jira.example", [8, 22, 0])
            assert api.get("/issue/HARB-1").json()["self"] == "https://jira.example/rest/api/2/issue/10000"
            assert api.get("/issue/createmeta", params={"projectKeys": "HARB"}).status_code == 200
            assert api.get("/myself", auth=jira.login).status_code == 401
