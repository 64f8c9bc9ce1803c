"""Traces of `triage work`, taken by a receiver that knows the official definitions."""

import httpx2

from integrations.system_clock import SystemClock
from tests.e2e.installation import MAILS, Installation
from tests.e2e.running import running, until
from tests.servers.web.otlp import otlp_receiver
from webhooks.signatures import SigningKeys

SECRET = "the-traces-tests-send-mail-with-this"


def test_a_mail_is_traced(with_model: Installation) -> None:
    """A mail that one process takes and another works on is one trace: arrival, work, steps, answers of the model."""
    with_model.extra |= {"WEBHOOK_SECRET": SECRET, "PORT": "0"}
    raw = (MAILS / "01-barcode-cut-off.eml").read_bytes()
    with otlp_receiver() as receiver:
        collector = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b"}
        with running(with_model, "serve", "--no-work") as serving, running(with_model, "work", **collector) as working:
            headers = SigningKeys.read([SECRET], "X").sign("one", SystemClock().now(), raw)
            httpx2.post(f"{serving.url}/webhooks/mime", content=raw, headers=headers).raise_for_status()
            until(lambda: receiver.spans, serving, working)
            assert working.ended() == 0

    spans = {span.name: span for span in receiver.spans}
    work, act = spans["work"], spans["step act"]
    asked = [span for span in receiver.spans if span.name.startswith("chat ")]
    assert receiver.refused == []
    assert len({receiver.id_of(span.trace_id) for span in receiver.spans}) == 1
    assert len(receiver.id_of(work.trace_id)) == 32
    assert (spans["mail"].parent_span_id, work.parent_span_id) == (b"", spans["mail"].span_id)
    assert {"step read", "step classify", "step dispatch"} <= set(spans)
    assert act.parent_span_id == work.span_id
    assert asked
    assert {span.parent_span_id for span in asked} == {act.span_id}
    assert {one.key: one.value.string_value for one in work.attributes}["triage.outcome"] == "ticketed"
    assert spans["mail"].start_time_unix_nano <= work.start_time_unix_nano <= act.start_time_unix_nano
    assert act.end_time_unix_nano <= work.end_time_unix_nano
    assert receiver.headers[0]["x-key"] == "a b"
    assert not any("@" in str(request) for request in receiver.requests)
