"""The variables of the team's memory."""

from pydantic_settings import BaseSettings

from triage.config.declaring import Text, Weekday, env


class MemoryVariables(BaseSettings):
    """Whether notes are kept, where, and who hears of them."""

    enable_memory: bool = env(
        "ENABLE_MEMORY",
        False,
        "keep a memory of the team: promises, requests, decisions of mails as notes that people edit, too",
    )
    memory_dir: Text = env(
        "MEMORY_DIR", "", "folder of the notes, Markdown files; empty: `.memory` beside a SQLite file, else ./memory"
    )
    memory_digest: Weekday = env("MEMORY_DIGEST", "", "day on which NOTIFY_URLS hear of the memory; empty: none")
