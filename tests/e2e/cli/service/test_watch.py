"""`triage watch` as a process: what it tells, and kills at any moment."""

import asyncio
import json
import os
import random
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from integrations.sql.store import open_store
from integrations.system_clock import SystemClock
from tests.conftest import PATIENCE, ROOT
from tests.e2e.launcher import Launched, launcher, run
from tests.e2e.mailbox.mailbox_desk import Desk
from tests.servers.dovecot import PASSWORD, Person, mail


def ended(env: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    """A command brought to its end, with what it said."""
    done = run(words, env, ROOT)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def begun(env: dict[str, str], *words: str) -> Launched:
    """A command that goes on; nobody reads what it says."""
    with Path(os.devnull).open("r+b") as nothing:
        return launcher().start(words, env, ROOT, *[nothing.fileno()] * 3)


class TestCommand:
    """`triage watch` as a process."""

    @pytest.fixture
    def env(self, person: Person, tmp_path: Path) -> dict[str, str]:
        """Settings of the process."""
        (tmp_path / "triage.yaml").touch()
        ours = {
            "IMAP_HOST": "127.0.0.1",
            "IMAP_PORT": str(person.server.imap),
            "IMAP_TLS": "none",
            "IMAP_USER": person.name,
            "IMAP_PASSWORD": PASSWORD,
            "IMAP_POLL_SECONDS": "2",
            "DATABASE_URL": f"sqlite:///{tmp_path}/triage.db",
            "TRIAGE_CONFIG": str(tmp_path / "triage.yaml"),
        }
        return {"PATH": os.environ["PATH"], **ours}

    def run(self, env: dict[str, str], *args: str) -> "subprocess.CompletedProcess[str]":
        """To its end."""
        return ended(env, "watch", *args)

    async def test_once_and_status(self, env: dict[str, str], person: Person) -> None:
        """Once fetches and ends; the status tells people and machines, with an exit code for a supervisor."""
        before = self.run(env, "--status")
        assert (before.returncode, "never seen" in before.stdout) == (1, True)
        assert self.run(env, "--once").returncode == 0
        person.deliver(mail(1))
        told = self.run(env, "--once")
        assert (told.returncode, told.stderr.count(PASSWORD)) == (0, 0)
        status = self.run(env, "--status", "--json")

        assert status.returncode == 0
        (mailbox,) = json.loads(status.stdout)["mailboxes"]
        assert (mailbox["name"], mailbox["phase"], mailbox["uid"]) == (person.name, "idle", 1)
        assert self.run(env | {"IMAP_PASSWORD": "wrong"}, "--once").returncode == 3

    async def test_several(self, env: dict[str, str], person: Person, tmp_path: Path) -> None:
        """Mailboxes and folders of triage.yaml are watched beside that of the environment, each under its name."""
        other = person.server.user()
        (tmp_path / "secret").write_text(PASSWORD + "\n")
        (tmp_path / "triage.yaml").write_text(
            f"mailboxes:\n"
            f"  - {{name: ops, host: 127.0.0.1, port: {person.server.imap}, tls: none, user: {other.name},\n"
            f"     password_file: {tmp_path}/secret, folders: [INBOX, Drafts], after: seen}}\n"
        )
        with other.client() as client:
            client.create_folder("Drafts")
        assert self.run(env, "--once").returncode == 0
        person.deliver(mail(1))
        other.deliver(mail(2))
        with other.client() as client:
            client.append("Drafts", mail(3))
        assert self.run(env, "--once").returncode == 0
        store = await open_store(env["DATABASE_URL"], SystemClock())
        sources = [(await store.archive.report(line.id)).case.source for line in await store.archive.cases()]
        await store.close()

        assert sorted(sources) == sorted([f"imap:{person.name}", "imap:ops", "imap:ops/Drafts"])
        assert other.flags() == [{rb"\Seen"}]
        assert person.flags() == [set()]

    async def test_mistakes_are_told_at_once(self, env: dict[str, str], tmp_path: Path) -> None:
        """Every mistake in the file is named with its place."""
        (tmp_path / "triage.yaml").write_text(
            "mailboxes:\n"
            "  - {name: a, host: imap.example.com, user: a, tls: none, password_file: x}\n"
            "  - {name: a, host: imap.example.com, user: a}\n"
            "  - {name: b, host: h, user: a, password_file: x, after: delete, fodlers: [x]}\n"
        )
        told = self.run(env, "--once")

        assert told.returncode == 2
        for place in ("mailboxes[0]: `tls: none`", "mailboxes[1]: give `password_file`", "mailboxes[2].after",
                      "mailboxes[2].fodlers: unknown key; known are after, folders"):  # fmt: skip
            assert place in told.stderr

    @pytest.mark.parametrize("failpoint", ["imap.fetched", "raw.written", "row.inserted", "intake.committed",
                                          "intake.notified", "imap.cursor_saved", "imap.flagged"])  # fmt: skip
    async def test_killed_at(self, env: dict[str, str], desk: Desk, person: Person, failpoint: str) -> None:
        """Killed at a named point it takes up where it was: each mail is one case."""
        await desk.watch(name=person.name).once()
        person.deliver(*(mail(number) for number in range(3)))

        assert self.run(env | {"TRIAGE_CRASH_AT": failpoint}, "--once").returncode == -9
        await desk.watch(name=person.name).once()
        assert sorted(await desk.ids()) == ["0", "1", "2"]

    async def test_killed_again_and_again(self, env: dict[str, str], desk: Desk, person: Person) -> None:
        """Killed at random while mail comes in, nothing is lost and each mail is one case."""
        await desk.watch(name=person.name).once()
        dice, sent = random.Random(3), 0
        for _ in range(6):
            process = begun(env, "watch")
            end = time.monotonic() + dice.uniform(0.1, 1.4)
            while time.monotonic() < end:
                await asyncio.to_thread(person.deliver, *(mail(sent + n) for n in range(5)))
                sent += 5
                await asyncio.sleep(0.05)
            process.kill()
            process.wait()
        await desk.watch(name=person.name).once()
        accepted = await desk.ids()

        assert len(accepted) == sent
        assert set(accepted) == {str(number) for number in range(sent)}

    async def test_inside_serve(self, env: dict[str, str], desk: Desk, person: Person) -> None:
        """`triage serve` watches too; that Jira is away keeps no mail out, and the doctor finds the mailbox open."""
        await desk.watch(name=person.name).once()
        person.deliver(mail(1))
        jira = {"JIRA_BASE_URL": "http://127.0.0.1:9", "JIRA_PROJECT_KEY": "OPS", "JIRA_TOKEN": "none"}
        process = begun(env | jira | {"PORT": "0"}, "serve")
        try:
            await desk.until(partial(desk.has, 1))
        finally:
            process.terminate()
            process.wait(PATIENCE)
        told = ended(env, "doctor")

        assert await desk.ids() == ["1"]
        assert f"mailbox {person.name}: opens" in told.stdout

    async def test_sigterm(self, env: dict[str, str], person: Person) -> None:
        """Told to stop it stops, with exit code 0, also while it listens."""
        process = begun(env, "watch")
        store = await open_store(env["DATABASE_URL"], SystemClock())
        async with asyncio.timeout(PATIENCE):
            while not await store.mailboxes.cursors():
                await asyncio.sleep(0.05)
        await store.close()
        await asyncio.sleep(0.3)
        process.terminate()

        assert process.wait(PATIENCE) == 0

    async def test_the_doctor_reads_whose_word_counts(self, env: dict[str, str], person: Person) -> None:
        """While AUTHSERV_ID is empty `doctor` warns, and prints the lines that name our server in the newest mails."""

        def finding(**more: str) -> dict[str, str]:
            done = ended(env | more, "doctor", "--json")
            return next(one for one in json.loads(done.stdout) if one["what"] == f"senders in {person.name}")

        empty = finding()
        stamp = "Authentication-Results: mx.ours.example; dmarc=pass header.from=example.com\r\n"
        line = "Received: from far.example by mx.ours.example with ESMTP; Thu, 1 Jan 2026 00:00:00 +0000\r\n"
        person.deliver(*(f"{stamp}{line}".encode() + mail(number) for number in range(5)))
        stamped = finding()
        right = finding(AUTHSERV_ID="mx.ours.example", TRUSTED_HOPS="2")
        wrong = finding(AUTHSERV_ID="mx.other.example")

        assert (empty["state"], "send a mail there" in empty["cure"]) == ("warn", True)
        assert (stamped["state"], stamped["cure"]) == ("warn", "AUTHSERV_ID=mx.ours.example\nTRUSTED_HOPS=2")
        assert "AUTHSERV_ID is empty: every sender is unverified" in stamped["text"]
        assert (right["state"], "5 of the newest 5" in right["text"]) == ("ok", True)
        assert wrong["cure"] == "AUTHSERV_ID=mx.other.example mx.ours.example\nTRUSTED_HOPS=2"
        assert person.flags() == [set()] * 5
