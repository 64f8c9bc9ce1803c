"""Which addresses a message of SNS may make us fetch, and what is no certificate."""

import pytest

from triage.domain.errors import BadSignature, ProviderDown
from webhooks.sns import Certificates, confirmation_url, region_of, verify

TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail"
CONFIRM = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=a1"
CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123abcd.pem"


@pytest.mark.parametrize(
    ("topic", "region"),
    [(TOPIC, "eu-west-1"), ("arn:aws:sqs:eu-west-1:123456789012:mail", ""), (f"{TOPIC} x", ""), ("", "")],
)
def test_the_region_of_a_topic(topic: str, region: str) -> None:
    """Only the ARN of a topic has one."""
    assert region_of(topic) == region


@pytest.mark.parametrize(
    "url",
    [CONFIRM.replace("eu-west", "us-east"), CONFIRM.replace("amazonaws.com", "evil.example"), f"{CONFIRM}\n", ""],
)
def test_a_confirmation_leads_to_sns_in_the_topics_region(url: str) -> None:
    """No other address is returned."""
    assert confirmation_url({"SubscribeURL": CONFIRM, "TopicArn": TOPIC}) == CONFIRM
    with pytest.raises(BadSignature):
        confirmation_url({"SubscribeURL": url, "TopicArn": TOPIC})


def test_a_failed_fetch_is_not_repeated_at_once() -> None:
    """What is no certificate is trouble of the provider's, and messages of strangers make us ask only once."""
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return b"no certificate"

    certificates = Certificates(fetch)
    for _ in range(2):
        with pytest.raises(ProviderDown):
            certificates.key(CERTIFICATE)

    assert asked == [CERTIFICATE]


def test_an_unknown_version_is_refused_unasked() -> None:
    """Nothing is fetched for a signature that nobody could check."""
    message = {"SigningCertURL": CERTIFICATE, "TopicArn": TOPIC, "SignatureVersion": "3"}
    with pytest.raises(BadSignature, match="neither 1 nor 2"):
        verify(message, Certificates(lambda _: pytest.fail("fetched")))
