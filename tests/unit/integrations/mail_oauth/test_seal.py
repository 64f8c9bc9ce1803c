"""Tokens are sealed with a key that is not in the database."""

from pathlib import Path

import pytest

from integrations.mail_oauth.seal import FernetSeal
from triage.domain.errors import SettingsInvalid
from triage.domain.operations.errors import GrantRefused


def test_by_secret_or_by_file(tmp_path: Path) -> None:
    """A secret needs no file; without it the first seal makes one, which others of the same machine use."""
    file = tmp_path / "key"
    by_secret = FernetSeal(b"a secret", file).seal("token")
    assert not file.exists()
    by_file = FernetSeal(b"", file).seal("token")

    assert FernetSeal(b"a secret", file).opened(by_secret) == FernetSeal(b"", file).opened(by_file) == "token"
    assert b"token" not in by_secret + by_file
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """Another secret, a file that is gone, no key, no folder: each error names the place."""
    file = tmp_path / "key"
    sealed = FernetSeal(b"a secret", file).seal("token")
    with pytest.raises(GrantRefused, match="TRIAGE_SECRET"):
        FernetSeal(b"another", file).opened(sealed)
    with pytest.raises(GrantRefused, match="is gone"):
        FernetSeal(b"", file).opened(sealed)
    file.write_text("no key")
    with pytest.raises(SettingsInvalid, match="is no key"):
        FernetSeal(b"", file).opened(sealed)
    with pytest.raises(SettingsInvalid, match="MAIL_OAUTH_KEY_FILE"):
        FernetSeal(b"", tmp_path / "nowhere" / "key").seal("token")
