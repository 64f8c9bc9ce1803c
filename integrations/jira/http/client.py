"""The `jira` package's client without its retries, redirects and cookies."""

from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from jira import JIRA
from requests.adapters import HTTPAdapter


class JiraClient(JIRA):
    """One version of one Jira's interface. Sends each request once."""

    def __init__(
        self,
        base_url: str,
        *,
        basic_auth: tuple[bytes, bytes],
        token_auth: str | None,
        timeout: tuple[float, float],
        connections: int,
        version: str,
        heard: Callable[..., None],
    ) -> None:
        super().__init__(
            base_url,
            options={"rest_api_version": version},
            token_auth=token_auth,
            # Bytes, since the package would turn a password into Latin-1 and fail on what has no place there.
            basic_auth=None if token_auth else basic_auth,  # type: ignore[arg-type] # says str, takes both
            get_server_info=False,
            max_retries=0,
            timeout=timeout,
            logging=False,
        )
        self._session.headers["User-Agent"] = "triage"
        # Older service desks hide half of their interface without it.
        self._session.headers["X-ExperimentalApi"] = "opt-in"
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._session.hooks["response"].append(heard)
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, HTTPAdapter(pool_connections=1, pool_maxsize=connections, max_retries=0))

    def raw(self, method: str, url: str, **given: Any) -> None:
        """A request that no public method of the package makes as we need it; the answer goes to who hears it."""
        requests.Session.request(self._session, method, url, timeout=self._session.timeout, **given)

    def end(self) -> None:
        """Let the connections go."""
        self._session.close()
