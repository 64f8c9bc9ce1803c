"""Outlook in Japanese."""

from triage.domain.untrusted import Untrusted
from triage.policy.text.unwrap import Unwrapped

EXPECTED = Unwrapped(
    preprocessor="forward",
    name=Untrusted("山田 太郎"),
    address="taro@client.example",
    subject=Untrusted("ラベルが印刷されない"),
    text=Untrusted("4番の倉庫でラベルが印刷されません。"),
)
