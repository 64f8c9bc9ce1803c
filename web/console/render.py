"""Makes pages from templates: everything a mail may have written is escaped, and nothing of it is invisible."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final
from urllib.parse import quote, unquote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from triage.domain.text.visible import visible
from web.console.assets import Assets
from web.console.guard import FORM_KEY, Visitor
from web.console.headers import PRIVATE
from web.console.markdown import readable
from web.console.navigation import ENTRIES, MenuEntry

NOTICE: Final = "triage_notice"
"""Cookie of the line that the next page shows."""
LONGEST_NOTICE: Final = 400


@dataclass(frozen=True, slots=True)
class Render:
    """The templates and what all of them know."""

    assets: Assets
    tracker_url: str = ""
    """Where people open tickets; empty: nowhere."""
    features: frozenset[str] = frozenset()
    """What entries of the menu need, as far as it is on."""
    _templates: Environment = field(init=False)

    def __post_init__(self) -> None:
        made = Environment(
            loader=PackageLoader("web.console"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=_seen,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        made.globals.update(asset=self.assets.address, ticket_url=self.ticket_url, FORM_KEY=FORM_KEY)
        made.filters.update(iso=_iso, markdown=readable, day=_day)
        object.__setattr__(self, "_templates", made)

    def page(self, http: Request, template: str, status: int = 200, /, **facts: Any) -> HTMLResponse:
        """Return a whole page, or with `fragment` in its name a part of one."""
        visitor: Visitor | None = getattr(http.state, "visitor", None)
        notice = http.cookies.get(NOTICE, "")
        text = self._templates.get_template(template).render(
            visitor=visitor,
            here=http.url.path,
            entries=entries_of(visitor, self.features),
            notice=unquote(notice[: 12 * LONGEST_NOTICE]),
            **facts,
        )
        answer = HTMLResponse(text.encode("utf-8", "replace"), status, dict(PRIVATE))
        if notice:
            answer.delete_cookie(NOTICE, path="/")
        return answer

    def part(self, template: str, /, **facts: Any) -> str:
        """Return a part of a page that is the same for everybody who reads it."""
        return self._templates.get_template(template).render(**facts)

    def ticket_url(self, key: str) -> str:
        """Return the address at which people read a ticket, empty if the tracker's is not known."""
        return f"{self.tracker_url.rstrip('/')}/browse/{quote(key)}" if self.tracker_url and key else ""


def after(to: str, notice: str = "") -> RedirectResponse:
    """Return the answer to a change: the browser asks for the page `to`, which says `notice` once."""
    answer = RedirectResponse(to, 303, dict(PRIVATE))
    if notice:
        text = quote(visible(notice)[:LONGEST_NOTICE])
        answer.set_cookie(NOTICE, text, max_age=60, path="/", httponly=True, samesite="strict")
    return answer


def entries_of(visitor: Visitor | None, features: frozenset[str]) -> tuple[MenuEntry, ...]:
    """Return what the visitor may open and is switched on, in the order of the menu."""
    on = {"", *features}
    return tuple(one for one in ENTRIES if visitor and visitor.may(one.scope) and one.needs in on)


def _seen(value: object) -> object:
    """Return the value of an expression as a page shows it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _day(on: date | None) -> str:
    """Return a day as people write it in a list: `18 Nov`, with the year unless it is this one."""
    if on is None:
        return ""
    return f"{on.day} {on:%b}" if on.year == datetime.now(UTC).year else f"{on.day} {on:%b %Y}"


def _iso(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
