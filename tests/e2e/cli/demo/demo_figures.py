"""What a run of the demo comes to: its memory, and the figures below its table."""

import re

import psutil  # type: ignore[import-untyped]  # comes without types

MEBIBYTE = 1024 * 1024
MOST_MEMORY = 440 * MEBIBYTE
"""Of all its processes together."""


def memory_of(pid: int) -> int:
    """Bytes of a process and its children, pages that they share counted once; 0 when it has just gone.

    A child that was forked this moment has all of its parent's pages resident, and none of its own.
    """
    try:
        root = psutil.Process(pid)
        return int(sum(one.memory_full_info().pss for one in (root, *root.children(recursive=True))))
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return 0


def hold_what_is_promised(out: str, memory: int, decided_by: str = "playbook", tokens: int = 3500) -> None:
    """Each mail ends as is written beside it, in little memory, with two rounds and so many input tokens in the median at most."""
    figures = re.search(r"(\d+) mails in ([\d.]+) s, (\d+) as expected\. Median per mail \((.+)\):", out)
    spent = re.search(r"(\d+) rounds, (\d+) input tokens", out)
    print(out[-220:], f"{memory / MEBIBYTE:.0f} MiB")

    assert figures
    assert spent
    assert (figures[1], figures[3], figures[4]) == ("45", "45", decided_by)
    assert (int(spent[1]) <= 2, int(spent[2]) <= tokens) == (True, True), spent[0]
    assert memory < MOST_MEMORY
