"""Which mailboxes are watched, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from triage.config.mailboxes import specs_of
from triage.config.settings import Isolated, Settings, load
from triage.config.triage_yaml import config_of
from triage.domain.errors import SettingsInvalid

ONE: dict[str, Any] = {
    "IMAP_HOST": "imap.example.com",
    "IMAP_USER": "bot@example.com",
    "IMAP_PASSWORD": "secret",
}
FILE = b"""
mailboxes:
  - name: ops
    host: imap.example.com
    user: ops@example.com
    token_command: [get-token, --for, ops]
    folders: [INBOX, Alerts]
    tls: starttls
    after: "move:Done"
"""


def settings(**more: Any) -> Settings:
    """The mailbox of the environment, changed."""
    return load(Isolated, **ONE | more)


def test_of_the_environment() -> None:
    """One mailbox, called like its user, with the ports that everybody uses."""
    (spec,) = specs_of(settings(), ())

    assert (spec.name, spec.port, spec.folder, spec.secret()) == ("bot@example.com", 993, "INBOX", "secret")
    assert specs_of(settings(IMAP_TLS="starttls"), ())[0].port == 143
    assert specs_of(settings(IMAP_PORT=1143), ())[0].port == 1143
    assert specs_of(settings(IMAP_FOLDER="Support"), ())[0].name == "bot@example.com/Support"
    assert "secret" not in repr(spec)
    assert specs_of(load(Isolated), ()) == ()


def test_of_the_file() -> None:
    """Each folder is a mailbox, and they stand beside that of the environment."""
    specs = specs_of(settings(), config_of(FILE).mailboxes)

    assert [spec.name for spec in specs] == ["bot@example.com", "ops", "ops/Alerts"]
    assert specs[2].token_command == ("get-token", "--for", "ops")
    assert (specs[1].port, specs[1].after) == (143, "move:Done")


def test_token_command_is_no_shell() -> None:
    """The command is split as a shell would, and that is all that it has of a shell."""
    (spec,) = specs_of(settings(IMAP_PASSWORD="", IMAP_TOKEN_COMMAND="get-token 'two words' $HOME; rm x"), ())

    assert spec.token_command == ("get-token", "two words", "$HOME;", "rm", "x")


@pytest.mark.parametrize(
    ("change", "variable"),
    [
        ({"IMAP_HOST": ""}, "IMAP_HOST"),
        ({"IMAP_USER": ""}, "IMAP_USER"),
        ({"IMAP_PASSWORD": ""}, "IMAP_PASSWORD"),
        ({"IMAP_TOKEN_COMMAND": "get-token"}, "IMAP_PASSWORD"),
        ({"IMAP_TOKEN_COMMAND": "'open", "IMAP_PASSWORD": ""}, "IMAP_TOKEN_COMMAND"),
        ({"IMAP_TLS": "none"}, "IMAP_TLS"),
        ({"IMAP_TLS": "tls"}, "IMAP_TLS"),
        ({"IMAP_AFTER": "delete"}, "IMAP_AFTER"),
        ({"IMAP_AFTER": "move:"}, "IMAP_AFTER"),
        ({"IMAP_POLL_SECONDS": 29 * 60}, "IMAP_POLL_SECONDS"),  # RFC 2177: a server may hang up then
    ],
)
def test_refused(change: dict[str, Any], variable: str) -> None:
    """What cannot work is named by its variable."""
    with pytest.raises(SettingsInvalid) as refused:
        settings(**change)

    assert [problem.name for problem in refused.value.settings] == [variable]


def test_in_clear() -> None:
    """Without TLS only this machine is spoken to, unless somebody says that he means it."""
    assert specs_of(settings(IMAP_TLS="none", IMAP_HOST="localhost"), ())[0].tls == "none"
    assert specs_of(settings(IMAP_TLS="insecure"), ())[0].tls == "insecure"


def test_names_are_one() -> None:
    """Two mailboxes of one name would share a cursor."""
    twice = config_of(FILE).mailboxes
    with pytest.raises(SettingsInvalid, match="ops"):
        specs_of(settings(), (*twice, *twice))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: a/b", "mailboxes[0].name"),
        ("host: ''", "mailboxes[0].host"),
        ("folders: []", "mailboxes[0].folders"),
        ("folders: [A, A]", "twice"),
        ("password: hunter2", "unknown key"),
        ("password_file: x", "one of them alone"),
        ("port: 0", "mailboxes[0].port"),
    ],
)
def test_mistakes_in_the_file(text: str, told: str) -> None:
    """Each mistake is told with its place, and no secret may stand in the file."""
    good = {"name": "ops", "host": "h", "user": "u", "token_command": "[get]"}
    key, _, value = text.partition(": ")
    lines = [f"{name}: {given}" for name, given in (good | {key: value}).items()]
    with pytest.raises(SettingsInvalid) as refused:
        config_of(("mailboxes:\n  - " + "\n    ".join(lines)).encode())

    assert told in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_password_file(tmp_path: Path) -> None:
    """A password comes from its file without the last newline; a file that is not there is told."""
    text = f"mailboxes:\n  - {{name: ops, host: h, user: u, password_file: {tmp_path}/secret}}\n".encode()
    (spec,) = config_of(text).mailboxes
    with pytest.raises(SettingsInvalid, match="password_file"):
        spec.secret()
    (tmp_path / "secret").write_text("pass word\n")

    assert spec.secret() == "pass word"
