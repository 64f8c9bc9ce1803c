"""GB2312 on the label, GBK in the bytes."""

from datetime import UTC, datetime

from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted

EXPECTED = Message(
    message_id="gbk-1@shop.example",
    subject=Untrusted("登录失败"),
    sender=Address(address="zhong@shop.example", name=Untrusted("钟铃")),
    to=(Address(address="support@acme.example"),),
    date=datetime(2026, 3, 3, 0, 0, tzinfo=UTC),
    text=Untrusted("朱镕基的账号无法登录。\n谢谢"),
    reply=Untrusted("朱镕基的账号无法登录。\n谢谢"),
)
