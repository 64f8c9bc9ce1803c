"""The doctor in a process of its own."""

from pathlib import Path

from cli.wiring.doctor import findings, words
from triage.config.settings import ALONE


async def test_the_doctor_reads_the_settings_of_this_process(tmp_path: Path) -> None:
    """What `--env FILE` names counts for its checks, too; and they come one by one, to their end."""
    alone = tmp_path / "other.env"
    alone.write_text("DATABASE_URL=mysql://somewhere\n", encoding="utf-8")
    token = ALONE.set(alone)
    try:
        found = [one async for one in findings()]
    finally:
        ALONE.reset(token)

    assert words("--jira") == ("doctor", "--lines", "--jira")
    assert [one.state for one in found if one.what == "DATABASE_URL"] == ["fail"]
