"""Parses the raw mail into a `Message`."""

from dataclasses import replace
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.errors import MailUnreadable, NotAMail
from triage.domain.mail import Stub
from triage.pipeline.context import Services
from triage.policy.privacy.secrets import masked_mail
from triage.policy.thread.content_hash import thread_key_of

NO_MAIL: Final = "a request of the mail provider in which there is no mail: `triage show --raw` shows it"


async def read(case: Case, at: Services) -> Case:
    """Return the case with message and thread key; quarantine it if it is no mail or breaks the parser.

    Only the delivering provider marks a mail as a stub: headers prove nothing, since senders can write them.
    """
    if case.stub is Stub.UNREADABLE:
        return case.flagged(case.stub).ending(Outcome.QUARANTINED, NO_MAIL)
    try:
        message = await at.reader.read(await at.cases.raw())
    except (NotAMail, MailUnreadable) as e:
        return case.ending(Outcome.QUARANTINED, str(e))
    if at.rules.mask_secrets:
        message = masked_mail(message)
    stub = (case.stub,) if case.stub else ()
    identity = replace(case.identity, thread_key=thread_key_of(message))
    return replace(case, message=message, identity=identity).flagged(*stub, *message.flags)


def describe(_before: Case, after: Case) -> str:
    """Say why only a part of the mail is there; empty if all is."""
    return f"a stub: {after.stub}" if after.stub else ""
