"""Runs the demo in a terminal of its own and keeps what it showed: a cast, reports that pages include, a picture of a case.

`.venv/bin/python -m docs.scripts.demo` writes `docs/images` anew; the picture needs Chromium.
"""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from docs.scripts.cast import COLUMNS, Shot, svg

IMAGES: Final = Path(__file__).parent.parent / "images"
TRIAGE: Final = Path(sys.executable).with_name("triage")
PATIENCE: Final = 120.0
"""Seconds without a word after which the demo is given up."""
NARROW: Final = 84
"""Letters of a line of a report: what a page of the site shows without scrolling."""
REPORTS: Final = {"case-2.txt": "show 2", "approvals.txt": "approvals"}
"""Files that pages include, with the command that tells them."""
SETTINGS: Final = re.compile(r"--env (\S+) show")
CONSOLE: Final = re.compile(r"The console: (\S+)\s+sign in as (\S+) with (\S+)")
PICTURED: Final = "cases/2"
WIDTH: Final = 1280
HEIGHT: Final = 800


def main() -> None:
    """Record the demo, then ask for the reports while it still runs."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS), LINES="40")
        os.execv(TRIAGE, ["triage", "demo"])  # noqa: S606 - our own program
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    try:
        told = _until_the_board(terminal)
        settings = SETTINGS.search(told)
        if settings is None:
            raise SystemExit(f"the demo ended early:\n{told[-2000:]}")
        _picture(*_plain(CONSOLE, told))
        told_by = {words: _told_by(settings[1], *words.split()) for words in REPORTS.values()}
    finally:
        os.kill(process, signal.SIGINT)
        os.waitpid(process, 0)
    for file, words in REPORTS.items():
        (IMAGES / file).write_text(told_by[words], encoding="utf-8")
    (IMAGES / "demo.svg").write_text(_cast(told), encoding="utf-8")


def _until_the_board(terminal: int) -> str:
    """Read what the demo prints, up to the commands to try."""
    told = ""
    while not re.search(r"approve \d+\s", told):
        if not select.select([terminal], [], [], PATIENCE)[0]:
            break
        try:
            told += os.read(terminal, 65_536).decode(errors="replace")
        except OSError:  # the other end is gone
            break
    return told


def _plain(pattern: re.Pattern[str], told: str) -> tuple[str, ...]:
    """Return the groups of a pattern in what was told, without colours."""
    found = pattern.search(re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", told))
    return found.groups() if found else ()


def _picture(console: str, address: str, password: str) -> None:
    """Sign in, and keep the page of a case as a person sees it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"{console}/sign-in")
        page.get_by_label("E-mail address").fill(address)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in").click()
        page.goto(f"{console}/{PICTURED}")
        page.set_viewport_size({"width": WIDTH, "height": page.evaluate("document.documentElement.scrollHeight")})
        page.screenshot(path=IMAGES / "console-case.png")
        browser.close()


def _told_by(settings: str, *words: str) -> str:
    """Return what a command says of the demo's store."""
    command = [str(TRIAGE), "--env", settings, *words]
    environment = os.environ | {"COLUMNS": str(NARROW)}
    shown = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout  # noqa: S603
    return "\n".join(line.rstrip() for line in shown.splitlines()) + "\n"


def _cast(told: str) -> str:
    """The command, then the table mail by mail: the words are the demo's, the pace is slower than its own."""
    table = re.sub(r"\x1b\[(?!\d*(?:;\d+)*m)[?\d;]*[A-Za-z]", "", told[told.rindex("\x1b[?25h") :])
    lines = [line.rstrip("\r") for line in table.strip("\r\n").split("\n")]
    end = next(number for number, line in enumerate(lines) if "The board:" in line)
    lines = ["\x1b[1m$ triage demo\x1b[0m", "", *lines[: end + 1]]
    rows = [number for number, line in enumerate(lines) if re.match(r"\d\d-", line)]
    shots = [Shot(0.0, 1), Shot(1.4, rows[0])]
    shots += [Shot(1.4 + 0.55 * (count + 1), following) for count, following in enumerate([*rows[1:], len(lines) - 4])]
    shots.append(Shot(shots[-1].at + 1.0, len(lines)))
    text = "triage demo: forty-five mails, what became of each, and why"
    lines = [re.sub(r"( sign in as \S+ with )\S+", r"\1…", line) for line in lines]
    return svg([re.sub(r"(http://127\.0\.0\.1:)\d+", r"\g<1>8000", line) for line in lines], shots, text)


if __name__ == "__main__":
    main()
