"""Atlassian's own descriptions of Jira, asked about one request and its answer at a time.

Strict about what we send. About answers they say little (nearly nothing is required, `{}` is a fine comment) and some of
that is not so, see `false_alarms.py`: there anything may be null and more keys may come, and what must be there stands in
`keys.py`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from openapi_schema_validator import OAS30Validator
from referencing import Registry
from referencing.jsonschema import DRAFT4

from tests.servers.official.false_alarms import FALSE_ALARMS
from tests.servers.official.keys import missing

CLOUD: Final = ("jira-cloud-platform-v3", "jira-cloud-software-1.0")
DATA_CENTER: Final = ("jira-datacenter-10.3",)
UNDESCRIBED: Final = re.compile(r"/rest/(servicedeskapi|pat)/")
"""Interfaces for which there is no document."""
_MOST_KNOWN: Final = 20_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, and its answer where one came."""

    method: str
    path: str
    """From `/rest` on."""
    query: str
    body: bytes
    status: int = 0
    answer: bytes = b""


@dataclass(frozen=True, slots=True)
class Operation:
    """One line of a document."""

    template: str
    shape: Any
    document: str
    fits: re.Pattern[str]


class Official:
    """The documents of one kind of Jira."""

    def __init__(self, documents: Sequence[Any], *, cloud: bool) -> None:
        self._cloud = cloud
        self._operations = [each for n, document in enumerate(documents) for each in _operations(document, f"urn:{n}")]
        self._operations.sort(key=lambda each: each.template.count("{"))
        resources = ((f"urn:{n}", DRAFT4.create_resource(document)) for n, document in enumerate(documents))
        relaxed = ((f"urn:{n}", DRAFT4.create_resource(_relaxed(document))) for n, document in enumerate(documents))
        self._strict: Registry[Any] = Registry().with_resources(resources)
        self._loose: Registry[Any] = Registry().with_resources(relaxed)
        self._validators: dict[tuple[int, bool], OAS30Validator] = {}
        self._known: dict[bytes, tuple[str, ...]] = {}
        self._found = lru_cache(maxsize=_MOST_KNOWN)(self._find)

    @classmethod
    def read(cls, folder: Path, *, cloud: bool) -> "Official":
        """From the shared data."""
        names = CLOUD if cloud else DATA_CENTER
        return cls([json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in names], cloud=cloud)

    def request(self, seen: Exchange) -> tuple[str, ...]:
        """What is wrong with a request."""
        return self._once(b"q" + seen.query.encode() + seen.body, seen, self._request)

    def answer(self, seen: Exchange) -> tuple[str, ...]:
        """What is wrong with its answer."""
        return self._once(b"a%d" % seen.status + seen.answer, seen, self._answer)

    def _once(self, told: bytes, seen: Exchange, judge: Any) -> tuple[str, ...]:
        """Judge the same thing once: most tests begin with the same questions."""
        if UNDESCRIBED.match(seen.path):
            return ()
        operation = self._found(seen.method, seen.path)
        if operation is None:
            return (f"{seen.method} {seen.path}: no such operation",)
        mark = blake2b(f"{seen.method} {operation.template}\0".encode() + told, digest_size=16).digest()
        if mark not in self._known:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            where = f"{seen.method} {operation.template}"
            complaints = (f"{where}: {what}" for what in judge(operation, seen))
            self._known[mark] = tuple(dict.fromkeys(each for each in complaints if not self._false_alarm(each)))
        return self._known[mark]

    def _false_alarm(self, complaint: str) -> bool:
        return any(each.fits(complaint, cloud=self._cloud) for each in FALSE_ALARMS)

    def _find(self, method: str, path: str) -> Operation | None:
        """The most literal path that fits; documents of Cloud speak of version 3 alone."""
        wanted = re.sub(r"^/rest/api/2/", "/rest/api/3/", path) if self._cloud else path
        fitting = (each for each in self._operations if method.lower() in each.shape and each.fits.fullmatch(wanted))
        found = next(fitting, None)
        return found and Operation(found.template, found.shape[method.lower()], found.document, found.fits)

    # --- requests ---------------------------------------------------------------------------------

    def _request(self, operation: Operation, seen: Exchange) -> Iterator[str]:
        yield from self._parameters(operation, parse_qs(seen.query, keep_blank_values=True))
        content = operation.shape.get("requestBody", {}).get("content", {})
        if seen.body and not content:
            yield "a body where none is taken"
        elif seen.body and (schema := content.get("application/json", {}).get("schema")):
            for error in self._validator(schema, operation.document, strict=True).iter_errors(_json(seen.body)):
                yield _said(error)
        elif seen.body and ("multipart/form-data" not in content or not seen.body.startswith(b"--")):
            yield f"a body that is none of {', '.join(content)}"

    def _parameters(self, operation: Operation, sent: Mapping[str, list[str]]) -> Iterator[str]:
        described = {each["name"]: each for each in operation.shape.get("parameters", []) if each["in"] == "query"}
        yield from (f"unknown parameter {name}" for name in sent.keys() - described)
        yield from (
            f"parameter {name} is missing"
            for name, each in described.items()
            if each.get("required") and name not in sent
        )
        for name, values in sent.items():
            if (schema := described.get(name, {}).get("schema")) is not None:
                value: Any = values if schema.get("type") == "array" else _typed(values[0], schema.get("type"))
                errors = self._validator(schema, operation.document, strict=True).iter_errors(value)
                yield from (f"parameter {name} {_said(error)}" for error in errors)

    # --- answers ----------------------------------------------------------------------------------

    def _answer(self, operation: Operation, seen: Exchange) -> Iterator[str]:
        responses = operation.shape["responses"]
        described = responses.get(str(seen.status), responses.get("default"))
        fine = 200 <= seen.status < 300
        if described is None:
            if fine:
                yield f"answered {seen.status}, and there is {', '.join(responses)}"
            return
        schema = described.get("content", {}).get("application/json", {}).get("schema")
        if not seen.answer:
            return
        try:
            body = _json(seen.answer)
        except ValueError:
            yield f"{seen.status} that is no JSON"
            return
        if schema:
            for error in self._validator(schema, operation.document, strict=False).iter_errors(body):
                yield f"{seen.status} {_said(error)}"
        if fine:
            short = re.sub(r"^/rest/(api/\d/)?|^/rest/", "", operation.template)
            yield from (
                f"{seen.status} lacks {key}" for key in missing(f"{seen.method} {short}", body, cloud=self._cloud)
            )

    def _validator(self, schema: Any, document: str, *, strict: bool) -> OAS30Validator:
        mark = (id(schema), strict)
        found = self._validators.get(mark)
        if found is None:
            whole = _placed(schema if strict else _relaxed(schema), document)
            registry = self._strict if strict else self._loose
            found = self._validators[mark] = OAS30Validator(whole, registry=registry)
        return found


def _operations(document: Any, name: str) -> Iterator[Operation]:
    """Data Center's paths begin below `/rest`."""
    base = "/rest" if document["servers"][0]["url"].endswith("/rest") else ""
    for template, shape in document["paths"].items():
        pattern = re.sub(r"\\\{[^}]+\\\}", "[^/]+", re.escape(f"{base}{template}"))
        yield Operation(f"{base}{template}", shape, name, re.compile(pattern))


def _placed(schema: Any, document: str) -> Any:
    """The schema with references that say which document they mean."""
    if isinstance(schema, dict):
        return {k: f"{document}{v}" if k == "$ref" else _placed(v, document) for k, v in schema.items()}
    return [_placed(each, document) for each in schema] if isinstance(schema, list) else schema


def _relaxed(schema: Any) -> Any:
    """The same, where all may be null and more keys may come."""
    if isinstance(schema, list):
        return [_relaxed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    more = {
        name: _relaxed(value) for name, value in schema.items() if name != "additionalProperties" or value is not False
    }
    if isinstance(more.get("enum"), list):
        more["enum"] = [*more["enum"], None]
    return more | ({"nullable": True} if isinstance(more.get("type"), str) else {})


def _said(error: Any) -> str:
    """Where, and what is wrong there; without the thing itself, which may be a whole page of answers."""
    where = "/".join("[]" if isinstance(part, int) else str(part) for part in error.path)
    if error.validator == "type":
        return f"{where} is of type {type(error.instance).__name__}, not {error.validator_value}"
    return f"{where}: {error.message[-200:]}"


def _json(body: bytes) -> Any:
    return json.loads(body)


def _typed(value: str, kind: str | None) -> Any:
    """A parameter as its description means it; a text where it does not fit, which is then refused."""
    match kind:
        case "integer" if re.fullmatch(r"-?\d+", value):
            return int(value)
        case "boolean" if value in {"true", "false"}:
            return value == "true"
    return value
