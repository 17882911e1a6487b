"""Unpacking .tar.gz, .tar and .zip without trusting them: no escapes, no links, bounded count, size and ratio."""

import gzip
import io
import re
import shutil
import stat
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.errors import ImportRefused
from core.jats.files import EXTENSIONS

ARCHIVE_LIMIT_BYTES = 8 * 1024**3
"""Largest sum of unpacked members."""
MEMBER_LIMIT = 200_000
"""Largest number of members."""
RATIO_LIMIT = 250
"""Largest ratio of unpacked to packed size beyond `RATIO_FREE_BYTES`; XML packs about 10 times, pictures hardly."""
RATIO_FREE_BYTES = 64 * 1024**2
KEPT_LIMIT_BYTES = 64 * 1024**2
"""Members larger than this are not unpacked, only named."""

XML_EXTENSIONS = ("xml", "nxml")
_KEPT = frozenset((*EXTENSIONS, *XML_EXTENSIONS, "json", "gz"))
_CHUNK = 1024 * 1024


class Scratch:
    """A temporary folder that is there as long as anything refers to it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="caserounds-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


@dataclass(frozen=True)
class OnDisk:
    """Reads a file of a folder; `scratch` keeps the folder while the file may be read."""

    path: Path
    scratch: Scratch | None = None

    def __call__(self) -> bytes:
        """Give the bytes of the file."""
        return self.path.read_bytes()


@dataclass(frozen=True)
class StoredFile:
    """A file of a package: its name with folders (`/`), its size in bytes, and how to read it."""

    name: str
    size: int
    read: Callable[[], bytes]

    @property
    def path(self) -> Path | None:
        """Where it lies on disk; None when it is in memory or was not unpacked."""
        return self.read.path if isinstance(self.read, OnDisk) else None

    @property
    def base_name(self) -> str:
        """The name without folders."""
        return self.name.rpartition("/")[2]

    @property
    def folder(self) -> str:
        """The folders; empty at the top."""
        return self.name.rpartition("/")[0]

    @property
    def extension(self) -> str:
        """What follows the last full stop, in lower case; empty when there is none."""
        return self.base_name.rpartition(".")[2].lower() if "." in self.base_name else ""


def is_archive(head: bytes) -> bool:
    """Say whether a file that starts with these bytes (512 of them) is a zip, tar or gzip file."""
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06") or head[:2] == b"\x1f\x8b" or head[257:262] == b"ustar"


def unpack(stream: BinaryIO, name: str, packed_size: int) -> list[StoredFile]:
    """Unpack the members that an article may need into a temporary folder, under names of our own.

    Args:
        stream: the archive, seekable.
        name: what it is called, for messages.
        packed_size: its size in bytes.

    Returns:
        The members with their names as packed; XML, JSON and images can be read, others have only a name and size.
        The folder is there as long as a member is referred to. A gzip file that is no tar gives one member.

    Raises:
        ImportRefused: cut off, damaged, encrypted, with links or names that leave the folder, or too large unpacked.
    """
    head = stream.read(512)
    stream.seek(0)
    budget = _Budget(name, packed_size)
    try:
        if head[:2] == b"PK":
            members = _zip_members(stream, name, budget)
        elif head[:2] == b"\x1f\x8b":
            members = _gzip_members(stream, name, budget)
        else:
            members = _tar_members(stream, name, budget)
        return _store(members, Scratch(), budget)
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, tarfile.TarError, UnicodeError) as error:
        raise ImportRefused(
            f"{name} is cut off or damaged: it cannot be unpacked to its end.",
            "Download it again; nothing was imported.",
        ) from error
    except (NotImplementedError, RuntimeError, ValueError, OSError, IndexError, KeyError) as error:
        raise ImportRefused(
            f"{name} cannot be unpacked: {error}.", "Unpack it yourself and import the folder."
        ) from error


class _Budget:
    """Counts what comes out of an archive and stops it when that is more than any article needs."""

    def __init__(self, name: str, packed_size: int) -> None:
        self.name = name
        self.packed_size = max(packed_size, 1)
        self.members = 0
        self.unpacked = 0

    def member(self) -> None:
        self.members += 1
        if self.members > MEMBER_LIMIT:
            raise ImportRefused(f"{self.name} has more than {MEMBER_LIMIT} members.", "Split it and import the parts.")

    def spend(self, size: int) -> None:
        self.unpacked += size
        if self.unpacked > RATIO_FREE_BYTES and self.unpacked > RATIO_LIMIT * self.packed_size:
            raise ImportRefused(
                f"{self.name} unpacks to more than {RATIO_LIMIT} times its size, as only a decompression bomb does.",
                "Get the article from its source again.",
            )
        if self.unpacked > ARCHIVE_LIMIT_BYTES:
            raise ImportRefused(
                f"{self.name} unpacks to more than {ARCHIVE_LIMIT_BYTES // 1024**3} GB.",
                "Split it and import the parts.",
            )


@dataclass
class _Member:
    name: str
    size: int
    stream: BinaryIO | None


def _store(members: Iterator[_Member], scratch: Scratch, budget: _Budget) -> list[StoredFile]:
    stored: list[StoredFile] = []
    for member in members:
        budget.member()
        name = safe_name(member.name, budget.name)
        base = name.rpartition("/")[2]
        if base.startswith("._") or name.startswith("__MACOSX/") or not base:
            continue
        extension = base.rpartition(".")[2].lower()
        if extension not in _KEPT or member.size > KEPT_LIMIT_BYTES or member.stream is None:
            stored.append(StoredFile(name, member.size, _unreadable(name, member.size)))
            continue
        path = scratch.path / f"{len(stored)}"
        size = _copy(member.stream, path, member.size)
        stored.append(StoredFile(name, size, OnDisk(path, scratch)))
    return stored


def _copy(stream: BinaryIO, path: Path, announced: int) -> int:
    size = 0
    with path.open("wb") as out:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > KEPT_LIMIT_BYTES and announced >= 0:
                raise EOFError("member larger than announced")
            out.write(chunk)
    if announced >= 0 and size != announced:
        raise EOFError("member shorter than announced")
    return size


def _unreadable(name: str, size: int) -> Callable[[], bytes]:
    def read() -> bytes:
        raise ImportRefused(f"{name} has {size // 1_000_000} MB and was not unpacked.", "Import a smaller file.")

    return read


def safe_name(name: str, archive: str) -> str:
    """Give a member's name with plain slashes.

    Raises:
        ImportRefused: when the name is absolute, names a drive or climbs out with `..`.
    """
    plain = name.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    if plain.startswith("/") or re.match(r"[A-Za-z]:", plain) or ".." in parts or "\x00" in plain:
        raise ImportRefused(
            f"{archive} holds a file whose path leaves the archive ({plain[:80]!r}).",
            "Get the article from its source again.",
        )
    return "/".join(parts)


def _zip_members(stream: BinaryIO, name: str, budget: _Budget) -> Iterator[_Member]:
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            if info.is_dir():
                safe_name(info.filename, name)
                continue
            if info.flag_bits & 0x1:
                raise ImportRefused(f"{name} is protected by a password.", "Unpack it yourself and import the folder.")
            if stat.S_ISLNK(info.external_attr >> 16):
                raise _link(name, info.filename)
            budget.spend(info.file_size)
            if info.filename.rpartition(".")[2].lower() in _KEPT and info.file_size <= KEPT_LIMIT_BYTES:
                with archive.open(info) as member:
                    yield _Member(info.filename, info.file_size, member)
            else:
                yield _Member(info.filename, info.file_size, None)


def _gzip_members(stream: BinaryIO, name: str, budget: _Budget) -> Iterator[_Member]:
    with gzip.GzipFile(fileobj=stream) as unzipped:
        counted = _Counted(unzipped, budget)
        head = counted.peek(512)
        if head[257:262] == b"ustar" or head == bytes(512):  # an empty tar is nothing but zeros
            yield from _tar_members(counted, name, budget)
            while counted.read(_CHUNK):  # to the end, so that the checksum is compared
                pass
        else:
            inner = re.sub(r"\.gz$", "", name.rpartition("/")[2], flags=re.IGNORECASE)
            yield _Member(inner if inner.rpartition(".")[2].lower() in XML_EXTENSIONS else inner + ".xml", -1, counted)


def _tar_members(stream: BinaryIO, name: str, budget: _Budget) -> Iterator[_Member]:
    counted = stream if isinstance(stream, _Counted) else _Counted(stream, budget)
    end = 0
    with tarfile.open(fileobj=counted, mode="r|", errorlevel=2) as archive:
        for member in archive:
            safe_name(member.name, name)
            if member.issym() or member.islnk():
                raise _link(name, member.name)
            if member.isdir():
                continue
            if not member.isreg():
                raise ImportRefused(
                    f"{name} holds a device or pipe ({member.name[:80]}).", "Get it from its source again."
                )
            end = member.offset_data + member.size
            yield _Member(member.name, member.size, archive.extractfile(member))
    while counted.count < end and counted.read(_CHUNK):
        pass
    if counted.count < end:
        raise EOFError("the archive ends inside a member")


def _link(archive: str, name: str) -> ImportRefused:
    return ImportRefused(
        f"{archive} holds a link ({name[:80]!r}) instead of a file.", "Get the article from its source again."
    )


class _Counted(io.RawIOBase):
    """A stream that spends the budget as it is read, and can show its first bytes beforehand."""

    def __init__(self, stream: BinaryIO, budget: _Budget) -> None:
        self._stream = stream
        self._budget = budget
        self._ahead = b""
        self.count = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def peek(self, size: int) -> bytes:
        """Give the first bytes without taking them."""
        self._ahead = self._stream.read(size) or b""
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        """Read and count."""
        if self._ahead:
            data, self._ahead = (self._ahead, b"") if size < 0 else (self._ahead[:size], self._ahead[size:])
            if 0 <= size <= len(data):
                self._counted(data)
                return data
            data += self._stream.read(size - len(data) if size >= 0 else -1) or b""
        else:
            data = self._stream.read(size) or b""
        self._counted(data)
        return data

    def _counted(self, data: bytes) -> None:
        self.count += len(data)
        self._budget.spend(len(data))
