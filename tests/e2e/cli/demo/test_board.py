"""The board of the sandbox, in a real browser: what is seen, that it stays fresh, and that no text can act."""

import re
from collections.abc import Iterator

import httpx2
import pytest
from playwright.async_api import Browser as Chrome

from tests.servers.chromium import Browser
from tests.servers.sandbox import RunningJira
from tests.servers.web.browser import watched_page

HOSTILE = """<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"""
ORIGIN = {"key": "triage", "value": {"label": "triage-0a", "case": "case-17", "message": "9f86d081884c7d65aa"}}
OSKAR = "712020:60d17be2-f95a-4c33-88ae-2f7d0c915be4"


@pytest.fixture
def api(cloud_jira: RunningJira) -> Iterator[httpx2.Client]:
    """The API of the site whose board is looked at."""
    with cloud_jira.api("2") as client:
        yield client


def create(api: httpx2.Client, summary: str, **fields: object) -> str:
    """A new ticket; its key."""
    body = {"project": {"key": "HARB"}, "issuetype": {"name": "Bug"}, "summary": summary, **fields}
    answer = api.post("/issue", json={"fields": body, "properties": [ORIGIN]})
    return str(answer.json()["key"])


def card(key: str) -> str:
    """The selector of a card."""
    return f"document.querySelector('[data-key={key}]')"


def test_columns_hold_the_tickets_by_status(browser: Browser, cloud_jira: RunningJira) -> None:
    """Three columns, the right numbers, and a word that all of it is a sandbox."""
    browser.open(cloud_jira.url)

    assert browser.ask("[...document.querySelectorAll('.column h2')].map(h => h.innerText.split(/\\s+/)[0])") == [
        "To",
        "In",
        "Done",
    ]
    shown = browser.ask("document.querySelectorAll('.card').length")
    assert cloud_jira.app.site.db.value("SELECT count(*) FROM issue WHERE project = 10000") == shown
    assert "SANDBOX" in browser.ask("document.querySelector('.banner').innerText")
    assert "Sandbox Jira" in browser.ask("document.title")


def test_a_new_ticket_appears_without_reloading(browser: Browser, cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """A ticket created while somebody looks shows up as new, and moves when its status does."""
    browser.open(cloud_jira.url)
    browser.wait_for("document.getElementById('state').innerText === 'live'")

    key = create(api, "Printer in Rotterdam prints null", priority={"name": "High"})
    browser.wait_for(f"{card(key)} !== null")

    assert browser.ask(f"{card(key)}.className") == "card new changed"
    text = browser.ask(f"{card(key)}.innerText")
    assert "Printer in Rotterdam prints null" in text
    assert "new" in text
    assert browser.ask(f"{card(key)}.querySelector('[aria-label=\"Priority High\"]') !== null")

    api.post(f"/issue/{key}/transitions", json={"transition": {"id": "11"}})
    browser.wait_for(f"{card(key)}.closest('.column').classList.contains('indeterminate')")
    assert browser.log == []


@pytest.mark.asyncio(loop_scope="session")
async def test_the_board_shuts_nobody_out(cloud_jira: RunningJira, chrome: Chrome, api: httpx2.Client) -> None:
    """axe-core finds nothing serious on the board and on a ticket of each status, in any look."""
    new = create(api, "Printer in Rotterdam prints null")
    async with watched_page(chrome, cloud_jira.url) as seen:
        for path in ("/", f"/browse/{new}", "/browse/HARB-41", "/browse/HARB-59"):
            await seen.open(path)
            assert await seen.shut_out(f"board{path.replace('/', '-')}") == [], path


def test_hostile_words_stay_words(browser: Browser, cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """Markup in a summary, description, comment or file name is shown, never obeyed, not even in a swapped page."""
    key = create(api, HOSTILE, description=f"{HOSTILE} [click|javascript:alert(1)]", labels=["<b>x</b>"])
    api.post(f"/issue/{key}/comment", json={"body": HOSTILE})
    api.post(f"/issue/{key}/attachments", files={"file": (HOSTILE, b"x")}, headers={"X-Atlassian-Token": "no-check"})
    browser.open(f"{cloud_jira.url}/browse/{key}")
    browser.wait_for("document.getElementById('state').innerText === 'live'")
    api.put(f"/issue/{key}", json={"fields": {"summary": f"again {HOSTILE}"}})
    browser.wait_for("document.querySelector('h1').innerText.startsWith('again')")

    assert browser.ask("document.querySelector('h1').innerText") == f"again {HOSTILE}"
    assert browser.ask("document.querySelectorAll('main img, main script, main b').length") == 0
    assert browser.ask("document.querySelectorAll('a[href^=javascript]').length") == 0
    assert "owned" not in browser.ask("document.title")
    assert browser.log == []


def test_a_ticket_tells_its_story(browser: Browser, cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """Description, comments, links, files, history, and the mail it came from stand on its page."""
    key = create(api, "Labels are cut", description="h2. Where\n*Ghent*\n{code}\nKeyError\n{code}")
    api.post(f"/issue/{key}/comment", json={"body": "Seen by *two*", "properties": [ORIGIN]})
    api.put(f"/issue/{key}/assignee", json={"accountId": OSKAR})
    ends = {"inwardIssue": {"key": key}, "outwardIssue": {"key": "HARB-3"}}
    api.post("/issueLink", json={"type": {"name": "Duplicate"}, **ends})
    api.post(f"/issue/{key}/attachments", files={"file": ("log.txt", b"x")}, headers={"X-Atlassian-Token": "no-check"})

    browser.open(f"{cloud_jira.url}/browse/{key}")
    text = browser.ask("document.querySelector('main').innerText")

    for words in ("Labels are cut", "Where", "Ghent", "KeyError", "Seen by two", "duplicates", "HARB-3", "log.txt"):
        assert words in text
    assert re.search(r"assignee none → Oskar Lindqvist", text)
    assert "Created by mail" in text
    assert "case-17" in text
    browser.open(f"{cloud_jira.url}/browse/HARB-3")
    assert f"is duplicated by {key}" in " ".join(browser.ask("document.querySelector('main').innerText").split())


def test_filters_narrow_the_board(cloud_jira: RunningJira, api: httpx2.Client) -> None:
    """Words and a person, alone and together, and a sign of percent is only a sign."""
    mine = create(api, "100% of the labels are cut", assignee={"accountId": OSKAR})
    other = create(api, "100 of the labels are fine")

    def shown(**query: str) -> set[str]:
        return set(re.findall(r'data-key="([^"]+)"', api.get(f"{cloud_jira.url}/", params=query).text))

    assert {mine, other} == shown(q="of the LABELS")
    assert {mine} == shown(q="100%")
    assert {mine} == shown(q="of the labels", assignee=OSKAR)
    assert {other} == shown(q="of the labels", assignee="nobody")
    with cloud_jira.client("/rest/agile/1.0") as agile:
        agile.post("/sprint/2/issue", json={"issues": [other]})
    assert {other} == shown(q="of the labels", sprint="2")
    assert {mine} == shown(q="of the labels", sprint="backlog")
    assert {"HELP-1", "HELP-2", "HELP-3"} == shown(project="HELP", sprint="2")
    assert {mine} == shown(q=mine)
    assert set() == shown(q="no such words")


def test_what_customers_do_not_see_is_marked(cloud_jira: RunningJira) -> None:
    """A comment that is internal says so, the public one beside it does not."""
    with cloud_jira.client() as client:
        page = client.get("/browse/HELP-1").text

    public, internal = page.split('<section class="comment')[1:]
    assert ">internal</span>" in internal
    assert "internal" not in public


def test_pages_follow_the_strict_policy(cloud_jira: RunningJira) -> None:
    """No page may load anything, and every inline part carries the nonce of its own answer."""
    with cloud_jira.client(auth=None) as visitor:
        pages = [visitor.get(path) for path in ("/", "/", "/browse/HARB-3", "/browse/HARB-99999")]

    assert [page.status_code for page in pages] == [200, 200, 200, 404]
    nonces: list[str] = []
    for page in pages:
        policy = page.headers["content-security-policy"]
        nonces.append(*set(re.findall(r"nonce-([^']+)", policy)))
        assert policy.startswith("default-src 'none'")
        assert set(re.findall(r'nonce="([^"]+)"', page.text)) == {nonces[-1]}
        assert not re.search(r"(?:src|href)=\"(?!/|#|data:,|https://[^\"]*\" rel=)", page.text)
        assert not re.search(r"\sstyle=|\son\w+=\"", page.text)
    assert len(set(nonces)) == len(nonces)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_readable_in_light_and_dark(browser: Browser, cloud_jira: RunningJira, scheme: str) -> None:
    """Text keeps a contrast of at least 4.5 to its card, whichever the reader prefers."""
    browser.prefer(scheme)
    browser.open(cloud_jira.url)

    contrast = browser.ask("""(() => {
        const light = (colour) => {
            const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
                const value = part / 255;
                return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
        };
        const card = light(getComputedStyle(document.querySelector(".card")).backgroundColor);
        return [".new .summary, .summary", ".foot .id", ".done .summary"].map((what) => {
            const words = light(getComputedStyle(document.querySelector(what)).color);
            return (Math.max(words, card) + 0.05) / (Math.min(words, card) + 0.05);
        });
    })()""")

    assert min(contrast) >= 4.5
