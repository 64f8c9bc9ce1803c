"""The wire to Jira: the `jira` package's session on a few threads, each request sent once, reads tried again."""

import asyncio
import json
import random
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any, Final, Literal, TypeVar

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from integrations.jira_errors import Answer, read, well_formed
from integrations.jira_shapes import Site
from triage.domain.conversation import Json
from triage.domain.errors import TrackerDenied, TrackerDown, TrackerUnsure, Transient
from triage.domain.ports import Landmark

Method = Literal["GET", "POST", "PUT"]
Params = Mapping[str, str | int] | None
Sleep = Callable[[float], Awaitable[None]]

_THREADS: Final = 8
_CONNECT_SECONDS: Final = 5.0
_TRIES: Final = 3
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
"""A read that is asked to wait longer gives up: the queue waits better than a thread of work."""
_LARGEST_ANSWER: Final = 64 * 1024 * 1024
_BEFORE_SENDING: Final = (NewConnectionError, ConnectTimeoutError, ssl.SSLCertVerificationError)
_UNSENDABLE: Final = (
    requests.exceptions.InvalidHeader,
    requests.exceptions.InvalidSchema,
    requests.exceptions.InvalidURL,
    requests.exceptions.MissingSchema,
)

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """Who we are: e-mail and API token, user name and password, or a personal access token alone."""

    email: str = ""
    token: str = ""
    personal_token: str = ""


class _Wire(HTTPAdapter):
    """Counts the requests that leave."""

    def __init__(self) -> None:
        super().__init__(pool_connections=1, pool_maxsize=_THREADS, max_retries=0)
        self.sent = 0
        self._lock = threading.Lock()

    def send(self, *args: Any, **kwargs: Any) -> requests.Response:
        with self._lock:
            self.sent += 1
        return super().send(*args, **kwargs)


@dataclass(frozen=True, slots=True)
class _Lost:
    """No answer came."""

    detail: str
    sent: bool
    """The request may have arrived."""


class JiraSession:
    """Asks Jira off the event loop and speaks only our errors."""

    def __init__(self, base_url: str, login: Login, *, timeout: float, sleep: Sleep, landmark: Landmark) -> None:
        self._base = base_url.rstrip("/")
        self._login = login
        self._timeout = timeout
        self._sleep = sleep
        self._landmark = landmark
        self._wire = _Wire()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="jira")
        self._connecting = asyncio.Lock()
        self._jira: Any = None
        self._site: Site | None = None

    @property
    def calls(self) -> int:
        """Requests sent so far."""
        return self._wire.sent

    async def site(self) -> Site:
        """Cloud or Data Center; asked once."""
        async with self._connecting:
            if self._site is None:
                await self._on_thread(self._connect)
                info = await self._reading("GET", "2/serverInfo", None, None, "")
                with well_formed("serverInfo"):
                    self._site = Site(cloud=info.get("deploymentType") == "Cloud", url=str(info["baseUrl"]).rstrip("/"))
        return self._site

    async def read(
        self, method: Method, path: str, *, params: Params = None, body: Json = None, about: str = ""
    ) -> Json:
        """What Jira knows; `about` names what a 404 would be missing. Raises `TicketGone`, `TrackerRejected`."""
        return await self._reading(method, await self._versioned(path), params, body, about)

    async def write(self, method: Method, path: str, body: Json) -> Answer:
        """One request, sent once. Raises `TrackerDown` where it was surely not sent, else `TrackerUnsure`."""
        versioned = await self._versioned(path)
        self._landmark("effect.on_wire")
        answer = await self._on_thread(self._exchange, method, versioned, None, body)
        if isinstance(answer, _Lost):
            raise TrackerUnsure(detail=answer.detail) if answer.sent else TrackerDown(detail=answer.detail)
        self._landmark("effect.answered")
        return answer

    async def close(self) -> None:
        """Let threads and connections go; a request on its way is waited for."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        if self._jira is not None:
            self._jira.close()

    async def _versioned(self, path: str) -> str:
        site = await self.site()
        return f"{3 if site.cloud else 2}/{path}"

    async def _reading(self, method: Method, path: str, params: Params, body: Json, about: str) -> Json:
        """A read, tried again while the trouble is a passing one."""
        for attempt in range(1, _TRIES + 1):
            try:
                answer = await self._on_thread(self._exchange, method, path, params, body)
                if isinstance(answer, _Lost):
                    raise TrackerDown(detail=answer.detail)
                return read(answer, about)
            except Transient as e:
                pause = _pause(attempt) if e.retry_after is None else e.retry_after
                if attempt == _TRIES or pause > _LONGEST_PAUSE:
                    raise
            await self._sleep(pause)
        raise AssertionError("the last try returns or raises")

    async def _on_thread(self, work: Callable[..., _Result], *args: Any) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    # --- on a thread of the pool --------------------------------------------------------------

    def _connect(self) -> None:
        """Make the session; nothing is sent."""
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
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        session.mount("https://", self._wire)
        session.mount("http://", self._wire)

    def _exchange(self, method: Method, path: str, params: Params, body: Json) -> "Answer | _Lost":
        """Send one request and read its whole answer."""
        # Past the package's own `request`: that one reads error bodies before us and stumbles over `null`. No
        # redirect is followed: a POST would arrive as a GET, and our secret perhaps at somebody else's.
        try:
            with requests.Session.request(
                self._jira._session,  # noqa: SLF001 - as above
                method,
                f"{self._base}/rest/api/{path}",
                params=params,
                data=None if body is None else json.dumps(body).encode(),
                timeout=(_CONNECT_SECONDS, self._timeout),
                allow_redirects=False,
                stream=True,
            ) as response:
                return Answer(response.status_code, response.headers, self._body(response))
        except _UNSENDABLE as e:
            detail = f"{type(e).__name__}: check JIRA_BASE_URL and the token"
            raise TrackerDenied(status=0, detail=detail) from None
        except (requests.RequestException, HTTPError, OSError) as e:
            causes = list(_causes(e))
            unsent = any(isinstance(cause, _BEFORE_SENDING) for cause in causes)
            return _Lost(f"{type(causes[-1]).__name__} at {method} {path}", sent=not unsent)

    def _body(self, response: requests.Response) -> bytes:
        """The body, unless it drips in for ever or is a flood: the timeout alone counts from byte to byte."""
        end = time.monotonic() + self._timeout
        body = bytearray()
        while piece := response.raw.read1(1 << 16, decode_content=True):
            body += piece
            if len(body) > _LARGEST_ANSWER or time.monotonic() > end:
                raise requests.exceptions.ReadTimeout("the answer does not end")
        return bytes(body)


def _pause(attempt: int) -> float:
    """Half a second, doubled each time, and some of it by chance so that workers do not return together."""
    return _FIRST_PAUSE * (1 << (attempt - 1)) * random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, guards nothing


def _causes(e: BaseException) -> Iterator[BaseException]:
    """The error and those inside it: requests and urllib3 wrap in arguments, each in its own way."""
    yield e
    for inner in (*e.args, getattr(e, "reason", None)):
        if isinstance(inner, BaseException):
            yield from _causes(inner)
