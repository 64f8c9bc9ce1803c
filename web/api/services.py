"""The services that the routes of the API ask, as a parameter of each route."""

from typing import Annotated

from web.context import WebContext
from web.frame import held

Services = Annotated[WebContext, held("services")]
