"""The page of a case whose person is forgotten: it says what became of it, and has no word of the mail."""

from tests.servers.web.console import Site
from triage.domain.operations.tokens import AccessScope

MAIL = (
    b"From: Wilhelmina Quackenbush <wilhelmina@quackenbush.example>\r\nTo: support@harbour.example\r\n"
    b"Subject: Zyzzogeton export\r\nMessage-ID: <q1@quackenbush.example>\r\n\r\nThe zyzzogeton export fails at gate 7.\r\n"
)


def test_the_case_stays_without_its_mail(site: Site) -> None:
    """Page, frame and API answer; what is not kept any more is gone (410), not missing, its words are in no page, and no page offers what needs it."""
    [number] = site.mail(MAIL)
    done = site.installation.triage("forget", "wilhelmina@quackenbush.example", "--yes")
    with site.client(AccessScope.ADMIN) as admin:
        pages = [admin.get(path) for path in (f"/cases/{number}", "/", f"/cases/{number}/links")]
        plan = admin.get(f"/inbox/plan?wish=correct&case={number}").text
        gone = [admin.get(f"/cases/{number}/{path}") for path in ("raw", "mail")]
    token = {"authorization": f"Bearer {site.tokens[AccessScope.ADMIN]}"}
    with site.client(None) as program:
        api = [program.get(f"/api/v1/cases/{number}{path}", headers=token) for path in ("", "/raw")]

    assert done.returncode == 0, done.stdout.decode()
    assert pages[0].status_code == pages[1].status_code == 200
    assert "forgotten on" in pages[0].text
    offered = [f'href="/cases/{number}/{path}"' in pages[0].text for path in ("correct", "replay", "test-case", "raw")]
    assert (offered, "<iframe" in pages[0].text, "The mail is not kept any more" in pages[0].text) == (
        [False] * 4, False, True,
    )  # fmt: skip
    assert "Left as it is: its mail is not kept any more" in plan
    assert [one.status_code for one in gone] == [410, 200]
    assert [one.status_code for one in api] == [200, 410]
    assert ["RETENTION_DAYS" in one.text for one in gone] == [True, True]
    assert not [one.url for one in (*pages, *gone, *api) if "zyzzogeton" in one.text.lower()]
    assert not [one.url for one in (*pages, *gone, *api) if "quackenbush" in one.text.lower()]
