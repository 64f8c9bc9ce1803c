"""Says which names in `autonomy` and `approvals.four_eyes` mean nothing, so that no misspelt row leaves free what it should hold."""

from collections.abc import Collection, Iterator

from triage.config.autonomy.approvals import ApprovalRules
from triage.config.autonomy.table import KINDS, Autonomy
from triage.config.setting_names import nearest


def wrong_names(autonomy: Autonomy, approvals: ApprovalRules, tools: Collection[str]) -> Iterator[str]:
    """Yield each unknown name with its place and the nearest known one; `tools` are ours and those that profiles name."""
    known = {*KINDS, *tools}
    for name in sorted(autonomy.levels.keys() - known):
        yield f"autonomy.{name}: {_cure(name, known)}"
    for profile, row in sorted(autonomy.profiles.items()):
        for name in sorted(row.keys() - known):
            yield f"autonomy.profiles.{profile}.{name}: {_cure(name, known)}"
    for name in sorted(approvals.four_eyes - KINDS.keys()):
        yield f"approvals.four_eyes: {name}: {_cure(name, KINDS)}"


def _cure(name: str, known: Collection[str]) -> str:
    meant = nearest(name, known)
    if meant:
        return f"means nothing; did you mean {meant}?"
    tools = "" if known is KINDS else ", or a tool that a profile has"
    return f"means nothing; name a kind of effect ({', '.join(KINDS)}){tools}, or take it out"
