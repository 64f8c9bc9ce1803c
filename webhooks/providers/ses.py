"""Amazon SES, by way of SNS: JSON that Amazon signs, for the topics that we know."""

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Final, Self

from loguru import logger

from triage.config.settings import Settings
from triage.domain.errors import BadSignature, NotAMail, SettingsInvalid
from triage.domain.mail import Stub, Trust
from triage.policy.sender.trust import Check, Findings, sender_of, trust_of
from webhooks import sns
from webhooks.providers.base import Delivery, Request
from webhooks.rebuilt_mail import Fields, mail_of

OLDEST: Final = 86_400
"""Seconds; SNS gives up after an hour at most. What is younger is known again by its MessageId."""
AHEAD: Final = 900


class AmazonSes:
    """Choose the SNS action with encoding Base64; mails above 150 kB fit into none, and Amazon returns them."""

    name: ClassVar[str] = "ses"
    needs: ClassVar[tuple[str, ...]] = ("SES_TOPIC_ARNS",)
    max_expansion: ClassVar[float] = 2
    blocking: ClassVar[bool] = True
    """For Amazon's certificate, and to confirm a subscription."""
    drops_on_4xx: ClassVar[bool] = True

    def __init__(self, topics: Sequence[str], fetch: sns.Fetch = sns.fetched) -> None:
        if not topics or not all(map(sns.region_of, topics)):
            raise SettingsInvalid(
                ("SES_TOPIC_ARNS: like arn:aws:sns:eu-west-1:123456789012:mail, separated by blanks",)
            )
        self._topics = frozenset(topics)
        self._fetch = fetch
        self._certificates = sns.Certificates(fetch)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """As set."""
        topics = settings.ses_topics.split()
        return cls(topics) if topics else None

    def verify(self, request: Request) -> None:
        """A topic of ours, Amazon's signature over the message, and not long ago."""
        try:
            message = _object(request.body)
        except NotAMail:
            raise BadSignature(
                self.name, "no message of SNS; leave raw message delivery off, it has no signature"
            ) from None
        if message.get("TopicArn") not in self._topics:
            raise BadSignature(self.name, "the topic is not among SES_TOPIC_ARNS")
        if message.get("Type") not in sns.SIGNED:
            raise BadSignature(self.name, "a type of message that SNS does not have")
        sns.verify(message, self._certificates)
        age = (request.at - _time(str(message.get("Timestamp")))).total_seconds()
        if not -AHEAD <= age <= OLDEST:
            raise BadSignature(self.name, f"the message is {age:.0f} s old; a replay, or check the clock")

    def read(self, request: Request) -> list[Delivery]:
        """The mail in it; what asks us to confirm a topic of ours is confirmed, and brings none."""
        message = _object(request.body)
        if message["Type"] == sns.CONFIRMATION:
            self._fetch(sns.confirmation_url(message))
        if message["Type"] != sns.NOTIFICATION:
            logger.bind(topic=message["TopicArn"], type=message["Type"]).info("webhook.subscription")
            return []
        notice = _object(str(message["Message"]).encode("utf-8", "replace"))
        if notice.get("notificationType") == "AmazonSnsSubscriptionSucceeded":
            return []
        if not isinstance(notice.get("mail"), dict):
            raise NotAMail("a message, but not of SES; choose the SNS action in a receipt rule")
        content = _content(notice)
        raw = content or mail_of(_elsewhere(notice))
        stub = None if content else Stub.ELSEWHERE
        return [Delivery(id=str(message["MessageId"]), raw=raw, verdict=_trust(notice, raw), stub=stub)]


def _object(body: bytes) -> Mapping[str, Any]:
    """JSON. Raises `NotAMail`."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as e:
        raise NotAMail(f"no JSON: {type(e).__name__}") from e
    if not isinstance(found, dict):
        raise NotAMail("no JSON object")
    return found


def _time(stamp: str) -> datetime:
    """A moment of long ago where it cannot be read."""
    try:
        at = datetime.fromisoformat(stamp)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _content(notice: Mapping[str, Any]) -> bytes:
    """The raw mail, empty where it is not there."""
    content = notice.get("content")
    if not isinstance(content, str):
        return b""
    if _dict(_dict(notice.get("receipt")).get("action")).get("encoding") != "BASE64":
        return content.encode("utf-8", "replace")
    try:
        return b64decode(content, validate=True)
    except (binascii.Error, ValueError) as e:
        raise NotAMail("the content is no base64") from e


def _elsewhere(notice: Mapping[str, Any]) -> Fields:
    """A mail that says where the mail lies: a rule that stores in S3 tells SNS no more than that."""
    mail, action = _dict(notice.get("mail")), _dict(_dict(notice.get("receipt")).get("action"))
    found = mail.get("headers")
    listed = found if isinstance(found, list) else []
    text = (
        "This mail was announced by Amazon SES without its content.\n"
        f"It lies in S3: bucket {action.get('bucketName', '?')}, key {action.get('objectKey', '?')}.\n"
        "Choose the SNS action, with encoding Base64, in the receipt rule to have it here.\n"
    )
    headers = [(str(line.get("name")), str(line.get("value"))) for line in listed if isinstance(line, dict)]
    return Fields(headers=headers, text=text)


def _trust(notice: Mapping[str, Any], raw: bytes) -> Trust:
    """What Amazon has checked, beside the mail; DMARC's own result is the one that counts."""
    receipt = _dict(notice.get("receipt"))

    def check(name: str) -> Check:
        return Check.of(str(_dict(receipt.get(f"{name}Verdict")).get("status", "")))

    return trust_of(
        Findings(
            sender=sender_of(raw),
            spf=check("spf"),
            spf_domain=str(_dict(notice.get("mail")).get("source", "")).rpartition("@")[2],
            dkim=check("dkim"),
            dmarc=check("dmarc"),
        )
    )


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
