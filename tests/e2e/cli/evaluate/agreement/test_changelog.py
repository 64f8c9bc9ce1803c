"""`triage agreement` on a Jira in which people went on working."""

import json
from pathlib import Path

from tests.e2e.installation import MAILS, Installation


def test_two_tickets_of_which_one_was_changed(installation: Installation, tmp_path: Path) -> None:
    """Shares by decision and by week, for people in percent, each change of a person with old and new value, and a page with plots."""
    for name in ("01-barcode-cut-off", "18-week-starts-on-sunday"):
        installation.triage("process", str(MAILS / f"{name}.eml"))
    (key, _) = installation.created()
    site = installation.jira.app.site
    person = site.db.value("SELECT id FROM account WHERE name = 'priya.raman'")
    site.db.run("DELETE FROM change")
    with installation.jira.api() as api:
        api.put(f"/issue/{key}", json={"fields": {"issuetype": {"name": "Story"}}}).raise_for_status()
    site.db.run("UPDATE change SET author = ?", person)
    figures = installation.json("agreement", "--days", "7", "--html", str(tmp_path / "page.html"))
    told = installation.triage("agreement").stdout.decode()
    page = (tmp_path / "page.html").read_text(encoding="utf-8")

    assert (figures["tickets"], figures["fields"]["type"]) == (2, {"decided": 2, "kept": 1, "agreement": 0.5})
    assert figures["fields"]["duplicate_link"]["agreement"] is None
    (change,) = figures["changed"]
    assert (change["ticket"], change["field"], change["becomes"], change["by"]) == (key, "type", "Story", "Priya Raman")
    assert [week["tickets"] for week in figures["weeks"]] == [2]
    assert ("<svg" in page, key in page, key in told, "50 %" in told) == (True, True, True, True)


def test_nothing_of_ours(installation: Installation) -> None:
    """A project without tickets of ours is no error, and nothing is divided by zero."""
    figures = installation.json("agreement")

    assert (figures["tickets"], figures["agreement"], json.dumps(figures["weeks"])) == (0, None, "[]")
    assert "No ticket of the last 90 days is ours" in installation.triage("agreement").stdout.decode()
