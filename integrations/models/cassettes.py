"""Records the answers of model servers to files and replays them later, without a network and without a key."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import httpx2

from triage.domain.conversation import Json
from triage.domain.errors import Refused

FORMAT: Final = 1
KEPT: Final = ("content-type", "retry-after")
"""Headers of an answer that a cassette keeps; the others may name an account."""

_SECRETS: Final = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
_SHORTEST_SECRET: Final = 8
_NONCE: Final = re.compile(r"<<<[A-Z]+ ([0-9a-f]{8})\b")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?")
_LOOPBACK: Final = re.compile(r"http://127\.0\.0\.1:\d+")
_CASE: Final = re.compile(r"\bcase-\d+")


class CassetteMissing(Refused):
    """No cassette holds the answer that a replay needs: record it, with the key of the model, by `--record`."""

    cassette: Path
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One request, by the hashes of its parts, and the answer to it."""

    key: str
    parts: Mapping[str, str]
    """Part → hash: the request itself quotes mails, so it is not kept."""
    status: int
    headers: Mapping[str, str]
    body: str


@dataclass(eq=False)
class Cassettes(httpx2.AsyncBaseTransport):
    """An HTTP transport over a folder with one file for each case.

    With a `server` it asks that one and records what it answers; without one it replays, and answers a request that is
    not recorded with an error that nobody retries; `missing` says then which part of the request is another one.
    """

    folder: Path
    server: httpx2.AsyncBaseTransport | None = None
    missing: CassetteMissing | None = None
    _case: str = ""
    _recorded: dict[str, Recorded] = field(default_factory=dict)

    def insert(self, case: str) -> None:
        """Begin with the file of a case; a recording begins with an empty one."""
        self._case, self.missing = case, None
        self._recorded = {} if self.server else _read(self._path)

    def keep(self) -> None:
        """Write the recorded answers of this case; remove the file of a case that asked no model."""
        if not self._recorded:
            self._path.unlink(missing_ok=True)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        answers = {"format": FORMAT, "answers": [asdict(one) for one in self._recorded.values()]}
        self._path.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        parts = parts_of(request.url.path, await request.aread())
        key = key_of(parts)
        if self.server is not None and not self._answered(key):
            self._recorded[key] = await _asked(self.server, request, key, parts)
        if key not in self._recorded:
            return self._unknown(parts)
        kept = self._recorded[key]
        return httpx2.Response(kept.status, headers=kept.headers, content=kept.body.encode())

    async def aclose(self) -> None:
        """Close the server's connections."""
        if self.server is not None:
            await self.server.aclose()

    def _answered(self, key: str) -> bool:
        """Whether a usable answer is recorded; the SDK asks again after others."""
        return key in self._recorded and self._recorded[key].status == HTTPStatus.OK

    @property
    def _path(self) -> Path:
        return self.folder / f"{self._case}.json"

    def _unknown(self, parts: Mapping[str, str]) -> httpx2.Response:
        """Remember why nothing fits, the first time; the model's adapter reads it as a refusal."""
        detail = difference(parts, [one.parts for one in self._recorded.values()])
        self.missing = self.missing or CassetteMissing(self._path, detail)
        return httpx2.Response(404, headers={"x-should-retry": "false"}, json={"error": {"message": detail}})


def parts_of(path: str, body: bytes) -> dict[str, str]:
    """Hash each part of a request, without what differs from run to run: nonces, moments, case ids, ports of loopback."""
    text = body.decode("utf-8", "replace")
    for nonce in dict.fromkeys(_NONCE.findall(text)):
        text = text.replace(nonce, "nonce")
    for pattern, word in ((_MOMENT, "moment"), (_LOOPBACK, "http://loopback"), (_CASE, "case")):
        text = pattern.sub(word, text)
    given: Any = json.loads(text)
    messages = given.pop("messages", [])
    parts = {"path": path, **{name: value for name, value in given.items() if name != "tools"}}
    parts |= {f"tool {tool.get('name') or tool['function']['name']}": tool for tool in given.get("tools", ())}
    parts |= {f"message {place} ({message['role']})": message for place, message in enumerate(messages, 1)}
    return {name: _hash(value) for name, value in parts.items()}


def key_of(parts: Mapping[str, str]) -> str:
    """Return the hash of the whole request."""
    return _hash(sorted(parts.items()))


def difference(parts: Mapping[str, str], recorded: list[Mapping[str, str]]) -> str:
    """Say in which parts a request differs from the most similar one that is recorded."""
    if not recorded:
        return "nothing is recorded for this case"
    nearest = min(recorded, key=lambda one: len(set(one.items()) ^ set(parts.items())))
    changed = [name for name in parts if nearest.get(name) not in {None, parts[name]}]
    added, gone = sorted(parts.keys() - nearest.keys()), sorted(nearest.keys() - parts.keys())
    groups = [("changed", changed), ("new", added), ("gone", gone)]
    return "the request is another one than the recorded: " + "; ".join(
        f"{word}: {', '.join(names)}" for word, names in groups if names
    )


async def _asked(
    server: httpx2.AsyncBaseTransport, request: httpx2.Request, key: str, parts: Mapping[str, str]
) -> Recorded:
    """Ask the server; keep its answer without our key and without headers that name an account."""
    response = await server.handle_async_request(request)
    try:
        body = (await response.aread()).decode("utf-8", "replace")
    finally:
        await response.aclose()
    for header in _SECRETS:
        secret = request.headers.get(header, "").removeprefix("Bearer ")
        body = body.replace(secret, "***") if len(secret) >= _SHORTEST_SECRET else body
    headers = {name: response.headers[name] for name in KEPT if name in response.headers}
    return Recorded(key=key, parts=parts, status=response.status_code, headers=headers, body=body)


def _read(path: Path) -> dict[str, Recorded]:
    """Read a cassette; empty if there is none. Raises `CassetteMissing` for a file that is none."""
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise CassetteMissing(path, f"its format is {data['format']}, we read {FORMAT}")
        return {one["key"]: Recorded(**one) for one in data["answers"]}
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise CassetteMissing(path, f"it cannot be read ({type(e).__name__}: {e})") from e


def _hash(value: Json) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]
