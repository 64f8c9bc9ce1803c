"""Amazon SES through SNS: JSON signed by Amazon, accepted only from the topics in SES_TOPIC_ARNS."""

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
from webhooks.providers.base import InboundDelivery, Request
from webhooks.rebuilt_mail import Fields, mail_of

OLDEST: Final = 86_400
"""Seconds; SNS retries for an hour at most. The store recognises younger replays by their MessageId."""
AHEAD: Final = 900


class AmazonSes:
    """SES inbound mail by the SNS action with encoding Base64; Amazon bounces mails above 150 kB."""

    name: ClassVar[str] = "ses"
    needs: ClassVar[tuple[str, ...]] = ("SES_TOPIC_ARNS",)
    max_expansion: ClassVar[float] = 2
    blocking: ClassVar[bool] = True
    """`verify` fetches Amazon's certificate, `read` confirms a subscription."""
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
        """Read the topics from the settings; None without one."""
        topics = settings.ses_topics.split()
        return cls(topics) if topics else None

    def verify(self, request: Request) -> None:
        """Check topic, type, Amazon's signature and the age. Raises `BadSignature`, `ProviderDown`."""
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

    def read(self, request: Request) -> list[InboundDelivery]:
        """Return the mail, a stub if its content is missing; none for subscription messages.

        Confirms a subscription to one of our topics. Raises `NotAMail`, `BadSignature`, `ProviderDown`.
        """
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
        return [InboundDelivery(id=str(message["MessageId"]), raw=raw, verdict=_trust(notice, raw), stub=stub)]


def _object(body: bytes) -> Mapping[str, Any]:
    """Parse a JSON object. Raises `NotAMail`."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as e:
        raise NotAMail(f"no JSON: {type(e).__name__}") from e
    if not isinstance(found, dict):
        raise NotAMail("no JSON object")
    return found


def _time(stamp: str) -> datetime:
    """Parse an ISO 8601 time, UTC by default; year 1 if it is invalid, which `verify` refuses as too old."""
    try:
        at = datetime.fromisoformat(stamp)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _content(notice: Mapping[str, Any]) -> bytes:
    """Return the raw mail, empty if the notice has none. Raises `NotAMail` for invalid base64."""
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
    """Return a stub that names the mail's place in S3: a receipt rule that stores there sends SNS no content."""
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
    """Judge the sender by the verdicts in the receipt, outside the mail; the DMARC verdict decides."""
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
