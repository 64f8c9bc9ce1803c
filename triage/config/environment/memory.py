"""The variables of the team's memory."""

from triage.config.declaring import Text, VariableGroup, Weekday, env


class MemoryVariables(VariableGroup):
    """Whether notes are kept, where, and who hears of them."""

    enable_memory: bool = env(
        "ENABLE_MEMORY",
        False,
        "keep a memory of the team: promises, requests, decisions of mails as notes that people edit, too",
    )
    memory_dir: Text = env(
        "MEMORY_DIR", "", "folder of the notes, Markdown files; empty: `.memory` beside a SQLite file, else ./memory"
    )
    memory_build_hours: float = env(
        "MEMORY_BUILD_HOURS",
        0.0,
        "hours from one build of the memory to the next, which the workers begin; 0: only `triage memory build` and the API do",
        ge=0,
        le=744,
    )
    memory_digest: Weekday = env("MEMORY_DIGEST", "", "day on which NOTIFY_URLS hear of the memory; empty: none")
