"""What Atlassian's descriptions say that real Jiras do not hold to: each with its reason, so that nobody hides behind one."""

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FalseAlarm:
    """Complaints of this kind are none."""

    of: str
    """`cloud`, `server` or `both`."""
    where: str
    """A pattern for method and path."""
    what: str
    """A pattern for the complaint."""
    why: str

    def fits(self, complaint: str, *, cloud: bool) -> bool:
        """This one is meant."""
        where, _, what = complaint.partition(": ")
        here = self.of in {"both", "cloud" if cloud else "server"}
        return here and bool(re.search(self.where, where)) and bool(re.search(self.what, what))


FALSE_ALARMS: Final = (
    FalseAlarm(
        "server", "GET .*/transitions", "unknown parameter expand",
        "`transitions.fields` is how one learns what a transition asks for, since Jira 5",
    ),
    FalseAlarm(
        "server", "GET .*/group/member$", "unknown parameter groupname",
        "the description says that it is part of a path that has no place for it; it is a query parameter",
    ),
    FalseAlarm(
        "both", "GET .*/(search|sprint)$", r"^parameter (fields|state) .*is of type str, not object",
        "lists of words, described as objects of a class of Java's",
    ),
    FalseAlarm(
        "server", "", r"(^|/)properties/\[\]/value is of type dict, not string",
        "properties hold any JSON, and the description knows texts only",
    ),
    FalseAlarm(
        "server", "^GET .*/properties/", r"^200 value is of type dict, not string",
        "the same of one property that is asked for by its name",
    ),
    FalseAlarm(
        "server", "", r"(^|/| )fields/\w+ is of type (str|int|list), not object",
        "the value of a field is described as an object, whichever field it is",
    ),
    FalseAlarm(
        "server", "/(search|resolution|project|statuses|field|attachments)$", r"^20[01]  is of type list, not object",
        "lists are described by one of their elements",
    ),
)  # fmt: skip
