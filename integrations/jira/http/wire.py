"""Sends one HTTP request through the `jira` package's session, without retries."""

import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local
from typing import TYPE_CHECKING, Any, Final, Literal, cast
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NameResolutionError, NewConnectionError

from integrations.jira.http.errors import JiraAnswer
from triage.domain.conversation import Json
from triage.domain.errors import TrackerDenied, TrackerRejected
from triage.domain.text.visible import all_visible, visible
from triage.domain.tickets import Upload

if TYPE_CHECKING:
    from integrations.jira.http.client import JiraClient

Question = Callable[[Any], object]
"""Calls one public method of the package's client."""
Method = Literal["GET", "POST", "PUT", "DELETE"]
Params = Mapping[str, str | int] | None
Body = Json | Upload
"""A request body: JSON, or a file sent as a form."""

_THREADS: Final = 8
_CONNECT_SECONDS: Final = 5.0
_LARGEST_ANSWER: Final = 64 * 1024 * 1024
_BEFORE_SENDING: Final = (NewConnectionError, ConnectTimeoutError, ssl.SSLCertVerificationError)
_UNSENDABLE: Final = (
    requests.exceptions.InvalidHeader,
    requests.exceptions.InvalidSchema,
    requests.exceptions.InvalidURL,
    requests.exceptions.MissingSchema,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """E-mail and API token (Cloud), user name and password, or a personal access token alone (Data Center).

    Without any of them we are a stranger.
    """

    email: str = ""
    token: str = ""
    personal_token: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """A request without an answer."""

    detail: str
    sent: bool
    """The request may have arrived."""


UNTRUSTED: Final = (
    "its certificate is not trusted: use the name that its certificate has, or set SSL_CERT_FILE=/path/to/your-ca.pem"
)
NO_TLS: Final = "does not begin with TLS: write http:// or another port into JIRA_BASE_URL"
_NO_NAME: Final = "is the name of no host that is known here: check how it is written"
_NO_WAY: Final = "cannot be reached: check the address (JIRA_BASE_URL), the network, proxies and firewalls on the way"


class JiraWire:
    """The connections to one Jira. `ask` and `exchange` block: run them on `threads`. `timeout` is in seconds."""

    def __init__(self, base_url: str, login: Login, timeout: float) -> None:
        self._base = base_url.strip().rstrip("/")
        self._login = login
        self._timeout = timeout
        self._host = self._base.partition("://")[2].partition("/")[0].rpartition("@")[2]
        self._client: JiraClient | None = None
        self._heard = local()
        self.threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="jira")

    def connect(self, version: str = "2") -> None:
        """Build the client for this REST version; sends nothing."""
        # The import takes 0.25 s; commands without Jira skip it.
        from integrations.jira.http.client import JiraClient  # noqa: PLC0415

        login = self._login
        client = JiraClient(
            self._base,
            token_auth=login.personal_token.strip() or None,
            basic_auth=(login.email.strip().encode(), login.token.strip().encode()) if login.token else None,
            timeout=(_CONNECT_SECONDS, self._timeout),
            connections=_THREADS,
            version=version,
            heard=self._hear,
        )
        self._client, before = client, self._client
        if before is not None:
            before.end()

    def ask(self, question: Question) -> JiraAnswer | Lost:
        """Let a public method of the package send its one request; return the raw answer.

        Raises `TrackerDenied` if the settings make a request impossible, `TrackerRejected` if our data is no JSON.
        """
        self._heard.answer = None
        try:
            question(self._client)
        except _UNSENDABLE as e:
            detail = f"{type(e).__name__}: check JIRA_BASE_URL and the token"
            raise TrackerDenied(status=0, detail=detail) from None
        except Exception as e:  # noqa: BLE001 - with the raw answer at hand, the package's errors do not matter
            if self._heard.answer is None:
                return _unanswered(e, self._host)
        return cast("JiraAnswer", self._heard.answer)

    def exchange(self, method: Method, path: str, params: Params, body: Body) -> JiraAnswer | Lost:
        """Send one request to a path below `/rest`; return the whole answer. Raises as `ask`."""
        return self.ask(lambda jira: jira.raw(method, f"{self._base}/rest/{path}", params=params, **payload(body)))

    def close(self) -> None:
        """Close threads and connections; waits for a running request."""
        self.threads.shutdown(cancel_futures=True)
        if self._client is not None:
            self._client.end()

    def _hear(self, response: requests.Response, *_: Any, **__: Any) -> None:
        """Keep the answer for `ask`. Prevents redirects: a POST would become a GET, and our secret could go to another
        host.
        """
        try:
            body = self._body(response)
        finally:
            response.close()
        self._heard.answer = JiraAnswer(response.status_code, response.headers.copy(), body)
        response._content = body  # noqa: SLF001 - else requests reads it again, without our limits
        response.headers.pop("Location", None)

    def _body(self, response: requests.Response) -> bytes:
        """Read the body within size and total time limits: the timeout of requests restarts with each byte."""
        end = time.monotonic() + self._timeout
        body = bytearray()
        while piece := response.raw.read1(1 << 16, decode_content=True):
            body += piece
            if len(body) > _LARGEST_ANSWER or time.monotonic() > end:
                raise requests.exceptions.ReadTimeout("the answer does not end")
        return bytes(body)


def payload(body: Body) -> dict[str, Any]:
    """Return the body as arguments for `requests`, without invisible characters: every text for Jira passes here.

    Without `X-Atlassian-Token: no-check` Jira refuses a form as cross-site request forgery.
    """
    if isinstance(body, Upload):
        return {
            "files": {"file": (visible(body.name), body.content, body.content_type)},
            "headers": {"X-Atlassian-Token": "no-check", "Content-Type": None},
        }
    return {"data": None if body is None else json.dumps(all_visible(body)).encode()}


def _unanswered(e: Exception, host: str) -> Lost:
    """Say why no answer came. Raises `TrackerRejected` for data that is no JSON; re-raises programming errors."""
    if isinstance(e, (TypeError, UnicodeError)):  # the request could not be serialised
        raise TrackerRejected(problems={"request": f"{type(e).__name__}: {e}"}) from e
    if not isinstance(e, (requests.RequestException, HTTPError, OSError)):
        raise e
    causes = list(_causes(e))
    unsent = any(isinstance(cause, _BEFORE_SENDING) for cause in causes)
    request = getattr(e, "request", None)
    if tls := next(filter(None, map(_tls_trouble, causes)), ""):
        return Lost(f"{host}: {tls}", sent=not unsent)
    where = f" at {request.method} {urlsplit(request.url).path.partition('/rest/')[2]}" if request is not None else ""
    reason = f"{type(causes[-1]).__name__}{where}"
    no_way = _NO_NAME if any(isinstance(cause, NameResolutionError) for cause in causes) else _NO_WAY
    return Lost(f"{host} {no_way} ({reason})" if unsent else f"{host}: {reason}", sent=not unsent)


def _tls_trouble(e: BaseException) -> str:
    """Return what is wrong with the server's TLS, with its cure; empty for any other trouble."""
    if isinstance(e, ssl.SSLCertVerificationError):
        return f"{UNTRUSTED} ({e.verify_message})"
    return NO_TLS if isinstance(e, ssl.SSLError) and e.reason == "WRONG_VERSION_NUMBER" else ""


def _causes(e: BaseException) -> Iterator[BaseException]:
    """Yield the error and those inside it: requests and urllib3 wrap causes in `args` or `reason`."""
    yield e
    for inner in (*e.args, getattr(e, "reason", None)):
        if isinstance(inner, BaseException):
            yield from _causes(inner)
