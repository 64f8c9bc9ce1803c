"""The servers around a demo."""

from base64 import b64decode

import httpx2

from cli.demo.servers import servers


def test_a_demo_that_goes_on_has_mail() -> None:
    """Its settings send letters to the mailboxes and prove senders; a mail that comes before the service runs is kept by its writer."""
    with servers({}, model="playbook", deployment="cloud", port=0, live=True) as world:
        assert world.live
        page, form = world.live.mailboxes, {"sender": "ida@north.example", "text": "The map is empty."}
        answer = httpx2.post(f"{page}/write", data=form, headers={"Origin": page})

        assert (world.settings.smtp_host, world.settings.authserv_id) == ("127.0.0.1", "mx.harbourline.example")
        secret = world.settings.webhook_secret.get_secret_value()
        assert len(b64decode(secret.removeprefix("whsec_"), validate=True)) == 32, "the commands of docs/mail fit it"
        assert (answer.status_code, "The map is empty." in answer.text) == (502, True)


def test_a_demo_that_ends_has_none() -> None:
    """Without mail its prompts carry no tools of letters."""
    with servers({}, model="playbook", deployment="cloud", port=0, live=False) as world:
        assert (world.live, world.settings.smtp_host) == (None, "")
        assert httpx2.get(world.board).status_code == 200
