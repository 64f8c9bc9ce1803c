"""One request to Jira, one answer or none: the `jira` package's session, on a thread, with its retries taken out."""

import json
import ssl
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any, Final, Literal

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from integrations.jira.errors import Answer
from triage.domain.conversation import Json
from triage.domain.errors import TrackerDenied, TrackerRejected
from triage.domain.tickets import Upload
from triage.domain.visible import all_visible, visible

Method = Literal["GET", "POST", "PUT"]
Params = Mapping[str, str | int] | None
Body = Json | Upload
"""What is sent: JSON, or a file as a form."""

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
    """Who we are: e-mail and API token, user name and password, or a personal access token alone."""

    email: str = ""
    token: str = ""
    personal_token: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer came."""

    detail: str
    sent: bool
    """The request may have arrived."""


class JiraWire:
    """The connections to one Jira; `exchange` blocks, so it runs on `threads`."""

    def __init__(self, base_url: str, login: Login, timeout: float) -> None:
        self._base = base_url.strip().rstrip("/")
        self._login = login
        self._timeout = timeout
        self._jira: Any = None
        self.threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="jira")

    def connect(self) -> None:
        """Make the session; nothing is sent yet."""
        from jira import JIRA  # noqa: PLC0415 - a quarter of a second that commands without Jira need not pay

        login = self._login
        # Bytes, since the package would turn a password into Latin-1 and fail on what has no place there.
        basic = (login.email.strip().encode(), login.token.strip().encode())
        self._jira = JIRA(
            self._base,
            token_auth=login.personal_token.strip() or None,
            basic_auth=None if login.personal_token.strip() else basic,  # type: ignore[arg-type] # says str, takes both
            get_server_info=False,
            max_retries=0,
            logging=False,
        )
        session = self._jira._session  # noqa: SLF001 - the package offers no raw request, and its own ones re-POST
        session.headers["User-Agent"] = "triage"
        session.headers["X-ExperimentalApi"] = "opt-in"  # older service desks hide half of their interface without it
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        for scheme in ("https://", "http://"):
            session.mount(scheme, HTTPAdapter(pool_connections=1, pool_maxsize=_THREADS, max_retries=0))

    def exchange(self, method: Method, path: str, params: Params, body: Body) -> Answer | Lost:
        """Send one request below `/rest` and read its whole answer.

        Raises `TrackerDenied` where the settings make none possible, `TrackerRejected` where what we give is no JSON.
        """
        # Past the package's own `request`: that one reads error bodies before us and stumbles over `null`. No
        # redirect is followed: a POST would arrive as a GET, and our secret perhaps at somebody else's.
        try:
            with requests.Session.request(
                self._jira._session,  # noqa: SLF001 - as above
                method,
                f"{self._base}/rest/{path}",
                params=params,
                **payload(body),
                timeout=(_CONNECT_SECONDS, self._timeout),
                allow_redirects=False,
                stream=True,
            ) as response:
                return Answer(response.status_code, response.headers, self._body(response))
        except _UNSENDABLE as e:
            detail = f"{type(e).__name__}: check JIRA_BASE_URL and the token"
            raise TrackerDenied(status=0, detail=detail) from None
        except (TypeError, UnicodeError) as e:  # the request could not be written down, so nothing of it has left
            raise TrackerRejected(problems={"request": f"{type(e).__name__}: {e}"}) from e
        except (requests.RequestException, HTTPError, OSError) as e:
            causes = list(_causes(e))
            unsent = any(isinstance(cause, _BEFORE_SENDING) for cause in causes)
            return Lost(f"{type(causes[-1]).__name__} at {method} {path}", sent=not unsent)

    def close(self) -> None:
        """Let threads and connections go; a request on its way is waited for."""
        self.threads.shutdown(cancel_futures=True)
        if self._jira is not None:
            self._jira.close()

    def _body(self, response: requests.Response) -> bytes:
        """The body, unless it drips in for ever or is a flood: the timeout alone counts from byte to byte."""
        end = time.monotonic() + self._timeout
        body = bytearray()
        while piece := response.raw.read1(1 << 16, decode_content=True):
            body += piece
            if len(body) > _LARGEST_ANSWER or time.monotonic() > end:
                raise requests.exceptions.ReadTimeout("the answer does not end")
        return bytes(body)


def payload(body: Body) -> dict[str, Any]:
    """The body as `requests` wants it, nothing unseen in it: every text for Jira passes here.

    Without `no-check` Jira takes a form for one that a browser was tricked into.
    """
    if isinstance(body, Upload):
        return {
            "files": {"file": (visible(body.name), body.content, body.content_type)},
            "headers": {"X-Atlassian-Token": "no-check", "Content-Type": None},
        }
    return {"data": None if body is None else json.dumps(all_visible(body)).encode()}


def _causes(e: BaseException) -> Iterator[BaseException]:
    """The error and those inside it: requests and urllib3 wrap in arguments, each in its own way."""
    yield e
    for inner in (*e.args, getattr(e, "reason", None)):
        if isinstance(inner, BaseException):
            yield from _causes(inner)
