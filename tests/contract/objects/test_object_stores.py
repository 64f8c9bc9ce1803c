"""Both object stores, a folder and a bucket; and what only one of them can suffer."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from integrations.objects.folder import FolderObjects
from integrations.objects.nowhere import NoObjects
from integrations.objects.s3 import S3Account, S3Objects
from tests.contract.objects.objects_contract import ALL_BYTES, KEY, ObjectStoreContract
from tests.servers import free_port
from tests.servers.web.s3 import BUCKET, KEY_ID, REGION, SECRET, S3Server, bucket
from triage.domain.operations.errors import ArchiveDenied, ArchivedMailLost, ArchiveDown
from triage.domain.ports import ObjectStore

ACCOUNT = S3Account(key_id=KEY_ID, secret=SECRET, region=REGION)


class TestFolder(ObjectStoreContract):
    """Files of this machine."""

    @pytest.fixture
    def objects(self, tmp_path: Path) -> ObjectStore:
        """In an empty folder."""
        return FolderObjects(tmp_path)

    async def test_a_file_a_month_and_nobody_else_reads_it(self, tmp_path: Path) -> None:
        """A folder a month; only the owner may open folder and file; nothing half-written stays beside."""
        await FolderObjects(tmp_path).put(KEY, b"mail")
        month = tmp_path / "2026-11"

        assert [path.name for path in month.iterdir()] == ["case-1-0a.eml"]
        assert (month.stat().st_mode & 0o777, (month / "case-1-0a.eml").stat().st_mode & 0o777) == (0o700, 0o600)

    async def test_what_a_killed_process_left(self, tmp_path: Path) -> None:
        """A file that was not renamed is no object, and a delete removes it with its folder."""
        objects, month = FolderObjects(tmp_path), tmp_path / "2026-11"
        month.mkdir()
        (month / "case-1-0a.eml.0123abcd.part").write_bytes(b"half a mail")
        with pytest.raises(ArchivedMailLost):
            await objects.get(KEY)
        await objects.put(KEY, ALL_BYTES)
        await objects.delete(KEY)

        assert not month.exists()

    async def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        """A mount that is missing is trouble that may pass, and is not made anew as an empty folder."""
        objects = FolderObjects(tmp_path / "mount")
        for asked in (objects.put(KEY, b"mail"), objects.get(KEY), objects.delete(KEY)):
            with pytest.raises(ArchiveDown, match="no folder"):
                await asked

        assert not (tmp_path / "mount").exists()

    async def test_a_folder_that_cannot_be_written(self, tmp_path: Path) -> None:
        """It is told with the reason."""
        (tmp_path / "2026-11").write_text("a file where the month's folder should be")
        with pytest.raises(ArchiveDown, match="File exists"):
            await FolderObjects(tmp_path).put(KEY, b"mail")


class TestS3(ObjectStoreContract):
    """A bucket over HTTP."""

    @pytest.fixture
    def server(self) -> Iterator[S3Server]:
        """It checks signatures."""
        with bucket() as server:
            yield server

    @pytest.fixture
    async def objects(self, server: S3Server) -> AsyncIterator[ObjectStore]:
        """Below a prefix whose characters have to be escaped."""
        objects = S3Objects(server.url, BUCKET, "/triage (pröd)+1/", ACCOUNT)
        yield objects
        await objects.close()

    async def test_below_its_prefix(self, server: S3Server, objects: ObjectStore) -> None:
        """In the bucket's path, so that installations can share a bucket."""
        await objects.put(KEY, b"mail")

        assert list(server.objects) == [f"/mails/triage%20%28pr%C3%B6d%29%2B1/{KEY}"]

    @pytest.mark.parametrize(
        ("account", "hours", "place", "why"),
        [
            (S3Account(key_id=KEY_ID, secret="another", region=REGION), 0, BUCKET, "403 SignatureDoesNotMatch"),
            (S3Account(key_id="somebody", secret=SECRET, region=REGION), 0, BUCKET, "403 InvalidAccessKeyId"),
            (ACCOUNT, 1, BUCKET, "403 RequestTimeTooSkewed"),
            (ACCOUNT, 0, "other", "404 NoSuchBucket"),
        ],
    )
    async def test_refused(self, server: S3Server, account: S3Account, hours: int, place: str, why: str) -> None:
        """A wrong secret, account or bucket, and a clock that is an hour off, wait for a person, in the server's words."""
        late = timedelta(hours=hours)
        objects = S3Objects(server.url, place, "", account, lambda: datetime.now(UTC) + late)
        for asked in (objects.put(KEY, b"mail"), objects.get(KEY), objects.delete(KEY)):
            with pytest.raises(ArchiveDenied, match=why):
                await asked
        await objects.close()

        assert server.objects == {}

    @pytest.mark.parametrize("answer", [(500, "InternalError"), (503, "SlowDown"), (429, ""), (400, "RequestTimeout")])
    async def test_busy(self, server: S3Server, objects: ObjectStore, answer: tuple[int, str]) -> None:
        """A server in trouble is asked again later."""
        server.answer = answer
        with pytest.raises(ArchiveDown, match=str(answer[0])):
            await objects.get(KEY)

    async def test_a_lost_answer(self, server: S3Server, objects: ObjectStore) -> None:
        """It may have been stored; a second put does no harm."""
        server.lost = True
        with pytest.raises(ArchiveDown):
            await objects.put(KEY, b"mail")
        server.lost = False
        await objects.put(KEY, b"mail")

        assert await objects.get(KEY) == b"mail"

    async def test_nobody_there(self) -> None:
        """A server that does not answer is trouble that may pass."""
        objects = S3Objects(f"http://127.0.0.1:{free_port()}", BUCKET, "", ACCOUNT)
        with pytest.raises(ArchiveDown):
            await objects.get(KEY)
        await objects.close()


async def test_no_archive_is_set() -> None:
    """Whoever asks for an archived mail hears which setting is missing."""
    objects = NoObjects()
    for asked in (objects.put(KEY, b""), objects.get(KEY), objects.delete(KEY)):
        with pytest.raises(ArchiveDown, match="ARCHIVE_TO is not set"):
            await asked
    await objects.close()
