"""Checks the options of a sandbox Jira and reports all mistakes at once, each with its cure."""

import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from triage_sandbox.jira.app import TOKEN
from triage_sandbox.jira.gate.faults import FAULT, Fault, Faults
from triage_sandbox.jira.ground.identity import Login
from triage_sandbox.jira.seed.story import Story
from triage_sandbox.jira.seed.templates import TEMPLATES

_KEY: Final = re.compile(r"[A-Z][A-Z0-9]{1,9}")
_VERSION: Final = re.compile(r"\d+(\.\d+){1,3}(-[A-Za-z0-9]+)?")
_PATH: Final = re.compile(r"(/[A-Za-z0-9._~-]+)+")
_URL: Final = re.compile(r"https?://[^/\s?#]+(/[^\s?#]*)?")
_NEW_PAIR: Final = (
    "openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost"
    " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem"
)


class OptionsInvalid(ValueError):  # noqa: N818 - named by what happened, as the errors of triage are
    """One line per mistake."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The checked options of one sandbox."""

    story: Story
    logins: tuple[Login, ...]
    faults: tuple[Fault, ...]
    context_path: str
    tls: Mapping[str, str]

    def login_of(self, deployment: str) -> str:
        """Return the shell line that exports the login."""
        name, secret = (self.logins[0].name, self.logins[0].secret) if self.logins else ("", TOKEN)
        if deployment == "server" and not self.logins:
            return f"export JIRA_TOKEN={secret}"
        return f"export JIRA_EMAIL={name or self.story.bot.email} JIRA_API_TOKEN={secret}"


@dataclass(slots=True)
class Options:
    """The options as text, as the command line passes them."""

    seed: str
    projects: Sequence[str]
    users: Sequence[str]
    faults: Sequence[str]
    version: str
    context_path: str
    base_url: str
    tls_cert: Path | None
    tls_key: Path | None
    _wrong: list[str] = field(default_factory=list)

    def read(self) -> Wanted:
        """Check and convert them. Raises `OptionsInvalid` that names every mistake."""
        number = self._seed()
        projects = dict(self._projects())
        logins = tuple(self._logins())
        faults = tuple(self._faults())
        path = "/" + self.context_path.strip("/") if self.context_path.strip("/") else ""
        self._check("--context-path", path, _PATH, "write one like /jira")
        self._check("--version", self.version, _VERSION, "write numbers like 9.12.0")
        self._check("--base-url", self.base_url, _URL, "write the whole address, like https://jira.example.com/jira")
        tls = self._tls()
        if self._wrong:
            raise OptionsInvalid("".join(f"\n  {line}" for line in self._wrong))
        story = Story.of_company(tickets=number is not None, generated=number or 0, projects=projects)
        return Wanted(story, logins, faults, path, tls)

    def _check(self, name: str, value: str, fits: re.Pattern[str], cure: str) -> None:
        if value and not fits.fullmatch(value):
            self._wrong.append(f"{name} {value}: {cure}")

    def _seed(self) -> int | None:
        """None: without tickets."""
        if self.seed == "none":
            return None
        if self.seed.isascii() and self.seed.isdecimal():
            return int(self.seed)
        self._wrong.append(f"--seed {self.seed}: write a whole number, or none")
        return 0

    def _projects(self) -> Iterator[tuple[str, str]]:
        known = {Story.of_company(tickets=False).project.key}
        for text in self.projects:
            key, _, template = text.partition(":")
            if not _KEY.fullmatch(key):
                self._wrong.append(f"--project {text}: a key is two to ten capitals and digits, like DEMO:scrum")
            elif template not in TEMPLATES:
                self._wrong.append(f"--project {text}: the template is one of {', '.join(TEMPLATES)}")
            elif key in known:
                self._wrong.append(f"--project {text}: there is a {key} already, choose another key")
            else:
                known.add(key)
                yield key, template

    def _logins(self) -> Iterator[Login]:
        known: set[str] = set()
        for text in self.users:
            name, _, secret = text.partition(":")
            marks = set()
            while secret.rpartition(":")[2] in {"admin", "scoped"} and ":" in secret:
                secret, _, mark = secret.rpartition(":")
                marks.add(mark)
            if not name or not secret:
                self._wrong.append(f"--user {text}: write NAME:PASSWORD, or NAME:PASSWORD:admin")
            elif name.casefold() in known:
                self._wrong.append(f"--user {text}: {name} is there already, leave one of them out")
            else:
                known.add(name.casefold())
                yield Login(name=name, secret=secret, admin="admin" in marks, scoped="scoped" in marks)

    def _faults(self) -> Iterator[Fault]:
        """Parse each as `POST /__sandbox__/faults` does."""
        for text in self.faults:
            try:
                fault = FAULT.validate_json(text)
                Faults().add(fault)
            except ValidationError as e:
                wrong = "; ".join(f"{'.'.join(map(str, each['loc'])) or 'all'}: {each['msg']}" for each in e.errors())
                self._wrong.append(f"--fault {text}: {wrong}; the README of triage-sandbox has the fields")
            except re.error as e:
                self._wrong.append(f"--fault {text}: path is no regular expression ({e})")
            else:
                yield fault

    def _tls(self) -> Mapping[str, str]:
        """Return the keyword arguments that uvicorn takes for a certificate."""
        if self.tls_cert is None:
            if self.tls_key is not None:
                self._wrong.append(f"--tls-key {self.tls_key}: needs a certificate, add --tls-cert")
            return {}
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.tls_cert, self.tls_key)
        except (OSError, ssl.SSLError) as e:
            self._wrong.append(f"--tls-cert {self.tls_cert}: {e.strerror or e}; a new pair: {_NEW_PAIR}")
        key = {} if self.tls_key is None else {"ssl_keyfile": str(self.tls_key)}
        return {"ssl_certfile": str(self.tls_cert), **key}
