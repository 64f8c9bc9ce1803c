"""The page of insights over what the site has worked on."""

import csv
import re
from io import StringIO

import pytest
from playwright.async_api import Browser, expect

from tests.servers.web.console import Site
from triage.domain.operations.tokens import AccessScope


def test_numbers_of_the_site(site: Site) -> None:
    """The page counts the mails that were worked on; each chart with values has its numbers as a file; wrong periods are 404."""
    with site.client(AccessScope.VIEWER) as viewer:
        page = viewer.get("/insights")
        charts = re.findall(r"/insights/(\w+)\.csv\?days=30", page.text)
        files = {name: viewer.get(f"/insights/{name}.csv?days=30") for name in charts}
        outcomes = list(csv.reader(StringIO(files["outcomes"].text)))
        projects = [viewer.get(f"/insights?days=7&project={key}") for key in ("HARB", "NONE")]
        wrong = [viewer.get(f"/insights{path}").status_code for path in ("?days=8", "/nothing.csv", "/cost.csv?days=x")]

    assert page.status_code == 200
    assert {"outcomes", "pace", "agreement", "joined", "causes", "languages"} <= set(charts)
    total = sum(float(cell or 0) for row in outcomes[1:] for cell in row[1:])
    assert f"<dd>{total:.0f}</dd>" in page.text
    assert total >= 7
    for name, file in files.items():
        assert file.headers["content-type"].startswith("text/csv"), name
        assert f'filename="triage-{name}-30-days.csv"' in file.headers["content-disposition"]
    assert "Nothing in this period." in projects[1].text
    assert [one.status_code for one in projects] == [200, 200]
    assert wrong == [404, 404, 422]


def test_strangers_see_no_numbers(site: Site) -> None:
    """Page and files lead to the sign-in."""
    with site.client(None) as stranger:
        assert [stranger.get(path).status_code for path in ("/insights", "/insights/cost.csv")] == [303, 303]


@pytest.mark.asyncio(loop_scope="session")
async def test_everybody_reads_them(site: Site, chrome: Browser) -> None:
    """By the menu's key, in any look: no serious finding of axe-core, no page wider than a phone, tables behind the charts."""
    async with site.page(chrome, AccessScope.VIEWER) as seen:
        await seen.open("/")
        await seen.press("g", "n")
        await expect(seen.page.locator("h1")).to_have_text("Insights")
        await seen.page.locator("summary").first.click()
        await expect(seen.page.get_by_role("table", name="")).to_have_count(1)
        assert await seen.shut_out("insights") == []
        await seen.page.get_by_label("Period").select_option("90")
        await seen.page.get_by_role("button", name="Show").click()
        await expect(seen.page).to_have_url(re.compile(r"days=90"))
