"""What to say where a setting needs an optional part of Triage that is not installed."""


def missing(extra: str) -> str:
    """Return what is wrong and the cure; no index is named, since Triage is on none and its name belongs to others there."""
    return (
        f"the extra `{extra}` is not installed; install Triage with it "
        f"(pipx install --force 'triage-….whl[{extra}]', in a checkout .venv/bin/uv sync --no-dev --inexact --extra {extra})"
    )
