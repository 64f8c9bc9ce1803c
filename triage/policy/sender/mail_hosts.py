"""Public mail domains (freemail): two senders of one such domain have nothing in common."""

from collections.abc import Iterable
from typing import Final

PUBLIC: Final = frozenset(
    {
        "126.com", "163.com", "abv.bg", "aol.com", "att.net", "bk.ru", "bluewin.ch", "bol.com.br", "bt.com", "btinternet.com",
        "centrum.cz", "comcast.net", "cox.net", "email.cz", "fastmail.com", "foxmail.com", "free.fr", "freemail.hu",
        "freenet.de", "gmail.com", "gmx.at", "gmx.ch", "gmx.com", "gmx.de", "gmx.net", "googlemail.com", "hey.com",
        "hotmail.co.uk", "hotmail.com", "hotmail.de", "hotmail.es", "hotmail.fr", "hotmail.it", "hushmail.com", "icloud.com",
        "inbox.lv", "inbox.ru", "interia.pl", "laposte.net", "libero.it", "list.ru", "live.co.uk", "live.com", "live.fr",
        "live.nl", "mac.com", "mail.com", "mail.de", "mail.ru", "mailbox.org", "me.com", "msn.com", "naver.com", "o2.pl",
        "onet.pl", "online.no", "orange.fr", "outlook.com", "outlook.de", "outlook.es", "outlook.fr", "pm.me", "posteo.de",
        "proton.me", "protonmail.com", "qq.com", "rediffmail.com", "rocketmail.com", "sapo.pt", "sbcglobal.net", "seznam.cz",
        "sfr.fr", "sina.com", "sky.com", "t-online.de", "terra.com.br", "tin.it", "tiscali.it", "tutanota.com", "uol.com.br",
        "verizon.net", "virgilio.it", "virgin.net", "volny.cz", "wanadoo.fr", "web.de", "wp.pl", "ya.ru", "yahoo.co.jp",
        "yahoo.co.uk", "yahoo.com", "yahoo.com.br", "yahoo.de", "yahoo.es", "yahoo.fr", "yahoo.it", "yandex.com", "yandex.ru",
        "ymail.com", "ziggo.nl", "zoho.com",
    }
)  # fmt: skip


def of_one_house(domains: Iterable[str]) -> frozenset[str]:
    """Those of the domains in which only one organisation gives out addresses."""
    return frozenset(domain.lower() for domain in domains if domain) - PUBLIC
