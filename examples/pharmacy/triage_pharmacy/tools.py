"""What the agent may call."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.errors import ToolRefused
from triage.domain.ports.outside import OutsideContext
from triage_pharmacy import reservations
from triage_pharmacy.catalogue import described, drugs_like, names_near
from triage_pharmacy.database import once, opened

Name = Annotated[str, Field(min_length=1, max_length=200)]
MOST_RESULTS: Final = 5
LONGEST: Final = 500
OK: Final = 200


@tool(Grant.READ)
async def search_drugs(
    at: OutsideContext, query: Name, limit: Annotated[int, Field(ge=1, le=20)] = 5
) -> Mapping[str, Json]:
    """Search our pharmacies' drugs by name, active substance or form: price, prescription, and where how many boxes are."""
    with opened(at.data_dir) as connection:
        found = [described(connection, drug) for drug in drugs_like(connection, query, limit)]
        near = [] if found else names_near(connection, query)
    return {"drugs": found, **({"did_you_mean": near} if near else {})}


@tool(Grant.WRITE, repeatable=True, reads=lambda given: given["action"] == "check")
async def manage_reservation(
    at: OutsideContext,
    action: Literal["create", "check", "cancel"],
    drug_name: Annotated[
        str, Field(min_length=1, max_length=200, description="name of the drug, or code of a reservation")
    ],
    pharmacy_id: Annotated[str, Field(max_length=50)] | None = None,
) -> Mapping[str, Json]:
    """Hold one box of a drug without prescription for the customer for two days, look at the customer's reservations, or cancel one."""
    owner = owner_of(at)
    if action == "check":
        with opened(at.data_dir) as connection:
            return reservations.check(connection, owner, drug_name)

    def change(connection: Any) -> Mapping[str, Json]:
        if action == "cancel":
            return reservations.cancel(connection, owner, drug_name)
        return reservations.create(connection, owner, drug_name, pharmacy_id, at.once, at.clock.now())

    answer: Mapping[str, Json] = once(at.data_dir, at.once, change)
    return answer


@tool(Grant.READ)
async def web_search(at: OutsideContext, query: Name) -> Mapping[str, Json]:
    """Search the web for general information about a drug. What pages say is not our advice."""
    endpoint = str(at.options.get("endpoint", "")).rstrip("/")
    if urlsplit(endpoint).scheme not in {"http", "https"}:
        raise ToolRefused("the web search is off; answer without it")
    answer = await at.http.request("GET", f"{endpoint}/search", params={"q": query, "format": "json"})
    if answer.status != OK:
        raise ToolRefused(f"the web search answers {answer.status}; answer without it")
    found = answer.json().get("results", [])[:MOST_RESULTS]
    return {
        "results": [
            {name: str(page.get(name) or "")[:LONGEST] for name in ("title", "url", "content")} for page in found
        ]
    }


def owner_of(at: OutsideContext) -> str:
    """Return whose reservations a call may touch: the sender's; of a help desk that forwards many customers only the mail's own."""
    forwarders = {one.strip().lower() for one in str(at.options.get("forwarders", "")).split(",")}
    if at.sender is None or at.sender.address.lower() in forwarders:
        return at.case
    return at.sender.address.lower()
