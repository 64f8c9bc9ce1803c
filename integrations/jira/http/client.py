"""The `jira` package's client without its retries, redirects and cookies."""

import ssl
from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from jira import JIRA
from requests.adapters import HTTPAdapter


class JiraClient(JIRA):
    """A client for one REST version. Sends each request once and passes each answer to `heard`."""

    def __init__(
        self,
        base_url: str,
        *,
        basic_auth: tuple[bytes, bytes] | None,
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
            # Bytes, since requests encodes a password as Latin-1 and fails on other characters.
            basic_auth=None if token_auth else basic_auth,  # type: ignore[arg-type] # says str, takes both
            get_server_info=False,
            max_retries=0,
            timeout=timeout,
            logging=False,
        )
        self._session.headers["User-Agent"] = "triage"
        # Older service desks refuse experimental endpoints without it.
        self._session.headers["X-ExperimentalApi"] = "opt-in"
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self._session.hooks["response"].append(heard)
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, HTTPAdapter(pool_connections=1, pool_maxsize=connections, max_retries=0))
        self._settle_on_environment(base_url)

    def _settle_on_environment(self, base_url: str) -> None:
        """Take proxy and certificates from the environment once: requests reads all its variables four times a request."""
        found = self._session.merge_environment_settings(base_url, {}, None, None, None)
        self._session.proxies, self._session.verify = found["proxies"], found["verify"]
        if self._session.verify is True:  # requests does not know SSL_CERT_FILE, by which all other connections trust
            self._session.verify = ssl.get_default_verify_paths().cafile or True
        self._session.trust_env = False

    def raw(self, method: str, url: str, **given: Any) -> None:
        """Send a request that no public method of the package can send; the answer goes to `heard`."""
        requests.Session.request(self._session, method, url, timeout=self._session.timeout, **given)

    def end(self) -> None:
        self._session.close()
