"""The pages of operations are carried out: backup and restore, the signed delivery, the unit for systemd."""

import base64
import os
import re
import subprocess
from pathlib import Path

from tests.conftest import PATIENCE, ROOT
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running
from tests.servers import find_server

DOCS = ROOT / "docs"
LETTERS = [str(path) for path in sorted(MAILS.glob("*.eml"))[:8]]


def block(page: str, heading: str, kind: str) -> str:
    """The first block of this kind below a heading of a page."""
    below = (DOCS / page).read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    found = re.search(rf"^```{kind}\n(.+?)^```", below, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


# --- backup ---------------------------------------------------------------------------------------


# --- the pages ------------------------------------------------------------------------------------


def test_the_signed_delivery_is_taken(installation: Installation) -> None:
    """The lines of the page, pasted into a shell, bring a mail in; with another key they fail and bring nothing."""
    for tool in ("openssl", "curl"):
        find_server(tool, tool)
    secret = "whsec_" + base64.b64encode(os.urandom(24)).decode()
    (installation.folder / "mail.eml").write_bytes(Path(LETTERS[0]).read_bytes())
    installation.extra = {"WEBHOOK_SECRET": secret, "PORT": "0"}
    with running(installation, "serve", "--no-work") as served:
        given = {"PATH": os.environ["PATH"], "TRIAGE_URL": served.url, "WEBHOOK_SECRET": secret}
        done, wrong = (
            subprocess.run(
                ["sh", "-eu", "-c", block("mail/any-server.md", "A signed delivery", "sh")],
                check=False,
                capture_output=True,
                cwd=installation.folder,
                env=given | {"WEBHOOK_SECRET": key},
                timeout=PATIENCE,
            )
            for key in (secret, "whsec_" + base64.b64encode(bytes(24)).decode())
        )
        code = served.ended()

    assert (done.returncode, wrong.returncode != 0, code) == (0, True, 0), done.stderr
    assert len(installation.json("cases")["cases"]) == 1


def test_the_unit_says_what_triage_understands() -> None:
    """The unit for systemd starts a command that exists, stops it patiently, and does not repeat wrong settings."""
    unit = dict(
        line.split("=", 1)
        for line in block("operations/run.md", "systemd", "ini").splitlines()
        if "=" in line and line[0] != "#"
    )

    assert unit["ExecStart"].endswith("/.venv/bin/triage serve")
    assert (unit["RestartPreventExitStatus"], int(unit["TimeoutStopSec"]) > 20) == ("2", True)
    assert unit["WorkingDirectory"].rpartition("/")[2] == unit["StateDirectory"]
