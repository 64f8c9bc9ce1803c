"""Secrets of triage.yaml stand in files that it names."""

from pathlib import Path

from triage.domain.errors import SettingsInvalid


def password_in(file: str, where: str) -> str:
    """Return the content of a `password_file`, without the line's end. Raises `SettingsInvalid` that names the place."""
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as e:
        raise SettingsInvalid((f"{where}: cannot read password_file {file}; check path and rights",)) from e
