"""The OpenAPI document keeps its word: generated requests over real HTTP, each answer as the document says."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from openapi_schema_validator import OAS31Validator
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth

from tests.conftest import PATIENCE
from tests.e2e.web.api.api_server import Serving, serving
from tests.e2e.web.api.test_rights import TABLE

REQUESTS = 6
"""Generated requests of each route."""

REFUSALS = ["400", "401", "403", "404", "405", "409", "413", "414", "422", "431"]
"""How a wrong request may be refused."""


@schemathesis.serializer("message/rfc822")
def as_it_is(_: Any, value: Any) -> Any:
    """A generated mail is sent byte by byte."""
    return getattr(value, "data", None) or str(value).encode("utf-8", "surrogatepass")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """The API in a thread of its own."""
    with serving(tmp_path_factory.mktemp("api") / "triage.db") as server:
        yield server


@pytest.fixture(scope="module")
def document(server: Serving) -> Any:
    """The document as programs read it."""
    return httpx2.get(f"{server.url}/api/v1/openapi.json", timeout=PATIENCE).raise_for_status().json()


@pytest.fixture(scope="module")
def api(server: Serving, document: Any) -> Any:
    """The document as schemathesis reads it."""
    made = schemathesis.openapi.from_dict(document)
    made.config.update(base_url=server.url)
    made.config.checks.negative_data_rejection.expected_statuses = REFUSALS
    # A cursor has its form, and may all the same be none of ours.
    made.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "400", "404", "409"]
    return made


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("method", "path"), [line[:2] for line in TABLE if line[1] != "/events"])
def test_answers_are_those_of_the_document(
    api: Any, server: Serving, method: str, path: str, mode: GenerationMode
) -> None:
    """Whatever is asked, rightly or wrongly, status, type and shape of the answer stand in the document, and it is no 500."""
    operation = api[f"/api/v1{path}"][method]

    @settings(
        max_examples=REQUESTS,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def asked(case: Any) -> None:
        # Rights are `test_rights.py`'s: that check would send requests of its own with the same header.
        case.call_and_validate(headers={"authorization": f"Bearer {server.token}"}, excluded_checks=[ignored_auth])

    asked()


def test_examples_are_true(document: Any) -> None:
    """Every route has a summary, the errors are problems, and every example fits its own schema."""
    shapes = document["components"]["schemas"]
    examples = [
        (f"{name}.{field}", part, example)
        for name, shape in shapes.items()
        for field, part in shape.get("properties", {}).items()
        for example in part.get("examples", ())
    ]
    wrong = [
        where
        for where, part, example in examples
        if not OAS31Validator({**part, "components": document["components"]}).is_valid(example)
    ]
    routes = [route for path in document["paths"].values() for route in path.values()]

    assert len(examples) > 20
    assert wrong == []
    assert [route["operationId"] for route in routes if not route.get("description")] == []
    assert {media for route in routes for media in route["responses"]["401"]["content"]} == {"application/problem+json"}
