"""Errors of channels and of approval links."""

from triage.domain.errors import Refused, Transient


class ChannelDown(Transient):
    """A message to people could not be delivered: check NOTIFY_URLS with `triage notify test`."""

    channel: str
    detail: str


class LinkInvalid(Refused):
    """This link was not made by Triage, or is not complete: open the whole link of the message."""


class LinkExpired(Refused):
    """This link is no longer valid: look for a newer message, or decide in Jira or by `triage approve`."""

    approval: int


class LinkBusy(Transient):
    """This link is being used at this moment."""

    approval: int


class LinkUsed(Refused):
    """This link was used before."""

    approval: int
