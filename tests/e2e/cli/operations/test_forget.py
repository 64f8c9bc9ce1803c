"""`triage forget`: after the real way of a mail, no byte of the person is left in anything that Triage keeps."""

import json
import signal
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from cli.demo.prompt_reader import PromptReader
from cli.wiring.app import App
from tests.e2e.answering import answering, mail
from tests.e2e.installation import Installation
from tests.e2e.mail.letters.test_replies import ON
from tests.e2e.opened import ADA, again, take
from tests.e2e.running import running, until
from tests.e2e.triage.services.letters.test_comment_letters import sent, synced
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.conversation import Messages, ToolSpec, Turn
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

ADDRESS = "wilhelmina.quackenbush@corner-shop.example"
PERSON = f"Wilhelmina Quackenbush <{ADDRESS}>"
TRACES = (b"quackenbush", b"wilhelmina", b"zyzzogeton", b"flummoxed", b"brouhahas")
TEXT = (
    "Hello,\n\nthe zyzzogeton export is broken: it stops with an error after 40 pallets and leaves us flummoxed. "
    "Can you fix it?\n\nWilhelmina Quackenbush\n"
)


def hers(number: int = 7, text: str = TEXT) -> bytes:
    """A mail with words that nothing else here has."""
    raw = mail(text, number, PERSON, subject="Brouhahas of the zyzzogeton export")
    return raw.replace(b"r7@corner-shop.example", b"wilhelmina.7@corner-shop.example")


def of_another() -> bytes:
    """A mail about something else."""
    return mail("Hello,\n\nthe printer of gate 4 prints labels upside down since Monday.\n\nAda\n", subject="Labels")


def found_in(folder: Path, words: tuple[bytes, ...] = TRACES) -> dict[str, list[str]]:
    """The words by file, of all files of a folder, in any case."""
    files = {str(path.relative_to(folder)): path.read_bytes().lower() for path in folder.rglob("*") if path.is_file()}
    found = {name: [word.decode() for word in words if word in content] for name, content in files.items()}
    return {name: there for name, there in found.items() if there}


def rows_of(database: Path, case: int) -> dict[str, list[tuple[object, ...]]]:
    """Every row of a case, by table."""
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: connection.execute(*_rows(connection, table, case)).fetchall() for table in tables}


def _rows(connection: sqlite3.Connection, table: str, case: int) -> tuple[str, tuple[object, ...]]:
    columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    if "case_id" in columns:
        return f"SELECT * FROM {table} WHERE case_id = ?", (case,)  # noqa: S608 - names of our schema
    if "run" in columns:
        return f"SELECT * FROM {table} WHERE run LIKE ?", (f"case-{case}/%",)  # noqa: S608 - as above
    return f"SELECT * FROM {table} WHERE 0", ()  # noqa: S608 - as above


class Writer(PromptReader):
    """Decides as the playbook, and words letters with the words of the mail."""

    async def complete(self, conversation: Messages, tools: Sequence[ToolSpec], max_tokens: int) -> Turn:
        """Return the letter where there are no tools to call."""
        if tools:
            return await super().complete(conversation, tools, max_tokens)
        hers = any("Wilhelmina" in message.text for message in conversation)
        what = "Dear Wilhelmina,\n\nwe look into the zyzzogeton export." if hers else "We look into it."
        return Turn(text=what, model=self.name)


@pytest.fixture
def model() -> Iterator[dict[str, str]]:
    """A model behind real HTTP."""
    with Served(openai_app(Writer())) as served:
        yield {"OPENAI_BASE_URL": f"{served.url}/v1", "OPENAI_API_KEY": "x", "OPENAI_PREFETCH": "false"}


async def lived(app: App) -> str:
    """Another person's case, then hers: a ticket, a letter that a person accepted and that has left; her ticket's key."""
    await app.ticket_index_syncs[0].prepare()
    await take(app, "other", of_another())
    for approval in await app.store.archive.approvals():
        await app.approvals.ignore(approval.id, ADA)
    await again(app, await app.store.archive.report("case-1"))
    first = await take(app, "hers", hers())
    for approval in first.approvals:
        await app.approvals.accept(approval.id, ADA)
    report = await again(app, first)
    assert report.case.outcome is Outcome.TICKETED
    await sent(app)
    await synced(app, str(report.case.ticket))
    await app.ticket_index_syncs[0].update_index()
    assert await indexed(app) == {"zyzzogeton": 1}
    return str(report.case.ticket)


async def indexed(app: App) -> Mapping[str, int]:
    """In how many tickets of the search index the word stands; its files are compressed, so that bytes prove nothing."""
    return await app.ticket_index_syncs[0].index.frequencies("HARB", ["zyzzogeton"])


async def test_nothing_of_a_forgotten_person_is_left(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, model: dict[str, str]
) -> None:
    """Mail in, ticket, letter out, backup; then no byte of address, name, subject and words stays, and nobody else's row changes.

    A later delivery of the same mail makes no second ticket, a later mail of hers is a case like any other.
    """
    folder, home = tmp_path / "kept", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    smtp = {"SMTP_PORT": str(mail_server.port)}
    async with answering(cloud_jira, folder, ON, **smtp, **model) as app:
        key = await lived(app)
    shell = Installation(folder=home, jira=cloud_jira, extra={"DATABASE_URL": f"sqlite:///{folder / 'triage.db'}"})
    backup = folder / "old-backup.db"
    shell.triage("backup", str(backup))
    before, other = found_in(folder), rows_of(folder / "triage.db", 1)
    planned = shell.json("forget", ADDRESS, "--dry-run")
    untouched = found_in(folder)
    told = shell.json("forget", ADDRESS.upper(), "--yes")
    in_backup = shell.json("forget", ADDRESS, "--yes", "--backup", str(backup))
    shell.triage("backup", str(folder / "new-backup.db"))
    shown = shell.json("show", "2")

    assert {"triage.db", "old-backup.db"} <= before.keys() == untouched.keys()
    assert [one["case"] for one in planned["cases"]] == [one["case"] for one in told["cases"]] == ["case-2"]
    assert (planned["dry_run"], told["dry_run"], told["shredded"], told["troubles"]) == (True, False, True, [])
    assert told["tickets"] == [{"key": key, "url": f"{cloud_jira.url}/browse/{key}"}]
    assert (told["mentions"], told["cases"][0]["letters"]) == ([], 1)
    assert in_backup["shredded"] is True
    assert found_in(folder) == {}
    assert rows_of(folder / "triage.db", 1) == other
    assert (shown["case"]["outcome"], shown["case"]["ticket"]) == ("ticketed", key)
    assert "forgotten" in shown["case"]["flags"]

    async with answering(cloud_jira, folder, ON, **smtp, **model) as app:
        await app.ticket_index_syncs[0].sync(0)
        await app.ticket_index_syncs[0].update_index()
        assert await indexed(app) == {"zyzzogeton": 0}
        twice = await take(app, "hers, delivered again", hers().replace(b"Received: from a", b"Received: from b"))
        later = await take(app, "later", mail("Hello,\n\nmay I have my own gate key?\n", 9, PERSON, subject="Gate key"))

    assert twice.case.outcome is Outcome.IGNORED
    assert "case-2" in twice.case.reason
    assert later.case.id not in {"case-2", twice.case.id}
    assert shell.triage("replay", "2").returncode == shell.triage("correct", "2", "--spam").returncode == 2


def test_a_kill_in_the_middle_is_finished_by_the_next_run(installation: Installation) -> None:
    """Killed within a case, and between two: each case is whole or gone, and the same command finishes."""
    for number in (1, 2):
        raw = mail(TEXT.replace("40", f"{number}7"), number, PERSON, subject=f"Brouhahas {number} of gate {number}")
        (installation.folder / f"{number}.eml").write_bytes(raw)
        installation.triage("process", f"{number}.eml")
        (installation.folder / f"{number}.eml").unlink()
    killed = [
        installation.triage("forget", ADDRESS, "--yes", TRIAGE_CRASH_AT=point).returncode
        for point in ("forget.half", "forget.case")
    ]
    left = json.loads(installation.triage("forget", ADDRESS, "--dry-run", "--json").stdout)["cases"]
    done = installation.triage("forget", ADDRESS, "--yes")
    again = installation.triage("forget", ADDRESS, "--yes")

    assert killed == [-signal.SIGKILL, -signal.SIGKILL]
    assert [one["case"] for one in left] == ["case-2"]
    assert (done.returncode, again.returncode) == (0, 0), done.stdout.decode()
    assert found_in(installation.folder) == {}


def test_a_case_under_way_is_left_and_named(installation: Installation) -> None:
    """While a worker or a person has not finished it nothing is redacted; the report says what to do first, and the exit code tells."""
    (installation.folder / "autonomy.yaml").write_text("autonomy:\n  ticket: approve\n")
    installation.extra["TRIAGE_CONFIG"] = str(installation.folder / "autonomy.yaml")
    (installation.folder / "3.eml").write_bytes(hers())
    installation.triage("process", "3.eml", TRIAGE_CRASH_AT="intake.committed")
    unread = installation.triage("forget", ADDRESS, "--yes")
    installation.triage("work", "--until-idle")
    waiting = installation.triage("forget", ADDRESS, "--yes")
    installation.triage("reject", "1")
    (installation.folder / "3.eml").unlink()
    done = installation.triage("forget", ADDRESS, "--yes")

    assert (unread.returncode, waiting.returncode, done.returncode) == (1, 1, 0), done.stdout.decode()
    assert "case-1: a worker has not finished it" in unread.stdout.decode()
    assert "case-1: no. 1 waits for a person" in waiting.stdout.decode()
    assert found_in(installation.folder) == {}


def test_beside_a_running_service(installation: Installation) -> None:
    """The service goes on: it holds no old page of the database and no old file of the index; with RETENTION_DAYS it removes old mail.

    What is removed is the raw mail, its text and the prompts; the case can still be read.
    """
    for number, raw in ((1, of_another()), (2, hers())):
        (installation.folder / f"{number}.eml").write_bytes(raw)
    installation.triage("process", "1.eml", "2.eml")
    (installation.folder / "2.eml").unlink()
    database = installation.folder / "triage.db"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE mails SET accepted_at = '2026-01-01 00:00:00.000000' WHERE id = 1")
    with running(installation, "serve", PORT="0", HOST="127.0.0.1", RETENTION_DAYS="30") as serving:
        until(lambda: not rows_of(database, 1)["raw_mails"], serving)
        done = installation.triage("forget", ADDRESS, "--yes")
        left = found_in(installation.folder)
    shown = installation.json("show", "1")

    assert done.returncode == 0, done.stdout.decode()
    assert left == {}
    assert "mail-removed" in shown["case"]["flags"]
    assert (shown["case"]["message"]["text"], shown["case"]["message"]["subject"]) == ("", "Labels")
    assert installation.triage("replay", "1").returncode == 2
