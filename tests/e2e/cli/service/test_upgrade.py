"""After an upgrade people hear what the doctor finds anew; what was so before is known already."""

import sqlite3

from tests.e2e.installation import Installation, told
from tests.e2e.running import running, until
from tests.servers.ntfy import ntfy


def known(installation: Installation) -> set[str]:
    """The keys of all notices about versions and findings."""
    with sqlite3.connect(installation.folder / "triage.db") as store:
        found = store.execute("SELECT key FROM notices WHERE key LIKE 'doctor %' OR key LIKE 'version%'").fetchall()
    store.close()
    return {str(key) for (key,) in found}


def test_tables_of_a_newer_version(installation: Installation) -> None:
    """After a roll back the tables of the newer version are read, and the doctor names it and the ways on."""
    installation.triage("cases")
    before = told(installation.triage("doctor"))
    with sqlite3.connect(installation.folder / "triage.db") as store:
        store.execute("UPDATE alembic_version SET version_num = '9999'")
    store.close()
    done = installation.triage("doctor")

    assert "newer version" not in before
    assert "✓ database: sqlite, 0 cases" in told(done)
    assert "a newer version of Triage has made its tables (revision 9999)" in told(done)
    assert "restore the backup made before it" in told(done)


def test_findings_after_an_upgrade(installation: Installation) -> None:
    """The first version only remembers; the next tells what it finds beside that, once."""
    with ntfy() as push:
        with running(installation, "work", NOTIFY_URLS=push.url) as work:
            until(lambda: "doctor model warn" in known(installation), work)
        with sqlite3.connect(installation.folder / "triage.db") as store:
            store.execute("DELETE FROM notices WHERE key LIKE 'version _%' OR key = 'doctor model warn'")
        store.close()
        assert push.taken == []
        with running(installation, "work", NOTIFY_URLS=push.url) as work:
            until(lambda: push.taken, work)

    assert push.titles == ["Triage: new finding after an upgrade"]
    assert "no OPENAI_API_KEY" in push.taken[0]["message"]
