"""The archive of raw mails: a service moves them to a real bucket, and every command reads them from there as before."""

import sqlite3
from contextlib import closing

from tests.e2e.cli.operations.test_forget import ADDRESS, hers, of_another, rows_of
from tests.e2e.installation import Installation
from tests.e2e.running import running, until
from tests.servers.web.s3 import bucket, settings_of


def test_from_the_database_to_a_bucket(installation: Installation) -> None:
    """`serve` moves old mails; show, replay and doctor find them there; a person who is forgotten is forgotten there, too.

    While the bucket is away a forgotten mail is named, and the same command ends it later.
    """
    for number, raw in ((1, of_another()), (2, hers())):
        (installation.folder / f"{number}.eml").write_bytes(raw)
    installation.triage("process", "1.eml", "2.eml")
    database = installation.folder / "triage.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE mails SET accepted_at = '2026-01-31 00:00:00.000000'")
    with bucket() as server:
        installation.extra = settings_of(server)
        with running(installation, "serve", PORT="0", HOST="127.0.0.1") as serving:
            until(lambda: not any(rows_of(database, case)["raw_mails"] for case in (1, 2)), serving)
        kept = sorted(server.objects)
        raw = installation.triage("show", "1", "--raw").stdout
        replayed = installation.triage("replay", "1", "--dry-run")
        checks = {one["what"]: one for one in installation.json("doctor")}
        server.answer = (503, "SlowDown")
        away = installation.triage("forget", ADDRESS, "--yes")
        server.answer = None
        left = sorted(server.objects)
        done = installation.triage("forget", ADDRESS, "--yes")
        after = sorted(server.objects)
    unset = installation.triage("show", "1", "--raw", ARCHIVE_TO="")

    assert [path.partition("-mails/")[0].rpartition("-")[0] for path in kept] == [
        "/mails/triage/2026-01/case-1",
        "/mails/triage/2026-01/case-2",
    ]
    assert raw == of_another()
    assert replayed.returncode == 0, replayed.stderr.decode()
    assert (checks["archive"]["state"], checks["archive"]["text"][:11]) == ("ok", "2 raw mails")
    assert (away.returncode, left) == (1, kept)
    assert "503 SlowDown" in away.stdout.decode()
    assert (done.returncode, after) == (0, kept[:1]), done.stdout.decode()
    assert "ARCHIVE_TO is not set" in unset.stderr.decode()
