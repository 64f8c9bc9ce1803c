"""Reads the answer of a DAV server (RFC 4918): XML of strangers, without entities and without network."""

from collections.abc import Iterator

from lxml import etree

from triage.domain.errors import SourceDown


def texts_in(name: str, body: bytes, tag: str) -> Iterator[bytes]:
    """Yield the texts of this element in an answer. Raises `SourceDown` for what is no XML."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError as e:
        raise SourceDown(name, f"does not answer as a DAV server: {e}") from e
    for element in root.iter(tag):
        if text := str(element.text or "").strip():
            yield text.encode()
