"""Packages: from a file, folder or upload to the articles in it, each with the files that belong to it."""

import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import ImportRefused
from core.jats.archives import XML_EXTENSIONS, OnDisk, StoredFile, is_archive, unpack
from core.jats.collections import split_articles
from core.jats.files import EXTENSIONS
from core.jats.xml import LFS_MARK, XML_LIMIT_BYTES

_ARCHIVE_NAMES = re.compile(r"\.(?:zip|tar|tgz|gz)$", re.IGNORECASE)
_ARTICLE_TAG = re.compile(rb"<(?:[\w.-]+:)?article[\s>]")
_ADDRESS = re.compile(rb"""href\s*=\s*["']([^"']+)["']""")
_HEAD_BYTES = 64 * 1024


@dataclass(frozen=True)
class Package:
    """One article's XML and the files beside it; or, with `problem`, the reason why it cannot be read.

    Attributes:
        source: name of the article for people: file name with the folders inside what was imported.
        read_xml: gives the bytes of the XML.
        files: every other file that belongs to the article: name with folders -> the file.
        shared: lower-case addresses that several articles of one folder ask for: whose picture it is cannot be told.
        problem: set when there is nothing to read; `read_article` raises it.
    """

    source: str
    read_xml: Callable[[], bytes]
    files: Mapping[str, StoredFile] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    problem: ImportRefused | None = None

    @property
    def base_name(self) -> str:
        """The name of the XML file without folders."""
        return self.source.rpartition("/")[2]


def open_packages(path: Path | str) -> Iterator[Package]:
    """Give the articles found at a path, one after the other; memory stays bounded by the largest of them.

    Read: a folder (searched through), .xml, .nxml, .xml.gz, .tar.gz, .tgz, .tar, .zip, by content rather than name.
    What an archive unpacks to lies in a temporary folder as long as its packages are referred to. Archives that
    cannot be unpacked give a package with a `problem`, so that one of thousands does not end the rest.

    Raises:
        ImportRefused: there is nothing at the path, or nothing that could be an article.
    """
    place = Path(path)
    if place.is_dir():
        return _from_folder(place)
    if not place.is_file():
        raise ImportRefused(f"There is no file or folder {place.name!r}.", "Check the path.")
    file = _file_on_disk(place, place.name)
    return _from_file(file)


def open_upload(name: str, data: bytes) -> Iterator[Package]:
    """Give the articles of one uploaded file; see `open_packages`. Folders in its name are ignored."""
    base = name.replace("\\", "/").rpartition("/")[2] or "upload"
    return _from_file(StoredFile(base, len(data), lambda: data))


def open_uploads(files: Mapping[str, bytes]) -> Iterator[Package]:
    """Give the articles of files uploaded together (an XML with its pictures, several archives): name -> bytes."""
    if len(files) == 1:
        return open_upload(*next(iter(files.items())))
    stored = []
    for name, data in files.items():
        plain = "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", ".", ".."))
        stored.append(StoredFile(plain or "upload", len(data), lambda data=data: data))
    return _from_files(stored, "upload", "the upload")


def refused(source: str, problem: ImportRefused) -> Package:
    """Give a package that only carries the reason why it cannot be read."""
    return Package(source, lambda: b"", problem=problem)


def _file_on_disk(path: Path, name: str) -> StoredFile:
    return StoredFile(name, path.stat().st_size, OnDisk(path))


def _from_folder(root: Path) -> Iterator[Package]:
    files = []
    name = root.resolve().name or "folder"
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one != "__MACOSX")
        for base in sorted(names):
            path = Path(folder) / base
            if base.startswith(".") or not path.is_file():
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
                continue
            files.append(_file_on_disk(path, f"{name}/{path.relative_to(root).as_posix()}"))
    return _from_files(files, name, f"The folder {name}")


def _from_file(file: StoredFile) -> Iterator[Package]:
    if is_archive(_head(file)):
        yield from _from_archive(file)
    else:
        yield from _articles_of(file, {}, frozenset())


def _head(file: StoredFile) -> bytes:
    if file.path is not None:
        with file.path.open("rb") as stream:
            return stream.read(_HEAD_BYTES)
    try:
        return file.read()[:_HEAD_BYTES]
    except ImportRefused:
        return b""


def _from_archive(file: StoredFile) -> Iterator[Package]:
    try:
        members = _unpacked(file)
    except ImportRefused as problem:
        yield refused(file.name, problem)
        return
    named = [StoredFile(f"{file.name}/{one.name}", one.size, one.read) for one in members]
    yield from _from_files(named, file.name, file.base_name, nested=True)


def _unpacked(file: StoredFile) -> list[StoredFile]:
    if file.path is not None:
        with file.path.open("rb") as stream:
            return unpack(stream, file.base_name, file.size)
    return unpack(io.BytesIO(file.read()), file.base_name, file.size)


def _from_files(files: list[StoredFile], source: str, title: str, nested: bool = False) -> Iterator[Package]:
    """Group files into articles: a folder's files belong to its XML, those of folders without XML to the one above."""
    by_folder: dict[str, list[StoredFile]] = {}
    for file in files:
        by_folder.setdefault(file.folder, []).append(file)
    xmls = {folder: [file for file in members if _is_xml(file)] for folder, members in by_folder.items()}
    with_xml = [folder for folder, found in xmls.items() if found]
    metadata = {file.base_name.lower(): file for file in files if file.extension == "json"}
    found_any = False
    for folder in sorted(by_folder, key=_natural):
        members = by_folder[folder]
        archives = [] if nested else [file for file in members if _ARCHIVE_NAMES.search(file.base_name)]
        articles = sorted(xmls[folder], key=lambda file: _natural(file.name))
        companions: list[StoredFile] = []
        for archive in archives:
            beside = _companion_files(archive, folder) if len(articles) == 1 else None
            if beside is not None:
                companions.extend(beside)
                continue
            found_any = True
            yield from _from_file(archive)
        if not articles:
            continue
        found_any = True
        belonging = members + companions
        if len(with_xml) == 1:
            belonging = files + companions
        elif len(articles) == 1:
            belonging = belonging + _below(folder, by_folder, with_xml)
        yield from _of_one_folder(articles, belonging, metadata)
    if not found_any:
        yield refused(
            source, ImportRefused(f"{title} holds no XML file of an article.", "Import the article's .xml or .nxml.")
        )


def _is_xml(file: StoredFile) -> bool:
    return file.extension in XML_EXTENSIONS


def _natural(name: str) -> list[tuple[int, int | str]]:
    return [(0, int(part)) if part.isdigit() else (1, part) for part in re.split(r"(\d+)", name) if part]


def _below(folder: str, by_folder: dict[str, list[StoredFile]], with_xml: list[str]) -> list[StoredFile]:
    """Give the files of the folders below, down to where another article begins."""
    start = f"{folder}/" if folder else ""
    others = [f"{other}/" for other in with_xml if other != folder and other.startswith(start)]
    return [
        file
        for name, members in by_folder.items()
        if name != folder and name.startswith(start) and not any(f"{name}/".startswith(other) for other in others)
        for file in members
    ]


def _companion_files(archive: StoredFile, folder: str) -> list[StoredFile] | None:
    """Give the members of an archive that stands beside one article and holds no article itself; else None."""
    try:
        members = _unpacked(archive)
    except ImportRefused:
        return None
    if any(_is_xml(member) for member in members):
        return None
    start = f"{folder}/" if folder else ""
    return [StoredFile(f"{start}{archive.base_name}/{one.name}", one.size, one.read) for one in members]


def _of_one_folder(
    articles: list[StoredFile], belonging: list[StoredFile], metadata: dict[str, StoredFile]
) -> Iterator[Package]:
    if len(articles) > 1:
        real = [file for file in articles if _looks_like_article(file)]
        if len(real) == 1 and all(_looks_like_other_xml(file) for file in articles if file is not real[0]):
            articles = real
    files = {file.name: file for file in belonging if file not in articles and not _is_xml(file)}
    shared: frozenset[str] = frozenset()
    if len(articles) > 1 and any(file.extension in EXTENSIONS for file in files.values()):
        shared = _shared_addresses(articles)
    for article in articles:
        own = files
        if len(articles) > 1:
            own = {name: file for name, file in files.items() if file.extension != "json"}
        stem = article.base_name.rpartition(".")[0].lower()
        beside = metadata.get(f"{stem}.json")
        if beside is not None and beside.name not in own:
            own = {**own, beside.name: beside}
        yield from _articles_of(article, own, shared)


def _looks_like_article(file: StoredFile) -> bool:
    return bool(_ARTICLE_TAG.search(_head(file)))


def _looks_like_other_xml(file: StoredFile) -> bool:
    head = _head(file)
    return head.lstrip().startswith(b"<") and not head.startswith(LFS_MARK) and not _ARTICLE_TAG.search(head)


def _shared_addresses(articles: list[StoredFile]) -> frozenset[str]:
    seen: set[bytes] = set()
    twice: set[bytes] = set()
    for article in articles:
        if article.size > XML_LIMIT_BYTES:
            continue
        own = {
            address.lower() for address in _ADDRESS.findall(article.read()) if not address.lower().startswith(b"http")
        }
        twice |= own & seen
        seen |= own
    return frozenset(address.decode("utf-8", "replace") for address in twice)


def _articles_of(file: StoredFile, files: Mapping[str, StoredFile], shared: frozenset[str]) -> Iterator[Package]:
    """Give the article of an XML file, or each article of one that holds many (efetch sets, Europe PMC bulk files)."""
    if file.size > XML_LIMIT_BYTES:
        head = _head(file)
        if not head.lstrip()[:1] == b"<" or file.path is None:
            yield Package(file.name, lambda: b"", problem=_too_large(file))
            return
    try:
        for number, data in enumerate(split_articles(file)):
            if data is None:
                yield Package(file.name, file.read, files, shared)
            else:
                yield Package(f"{file.name}#{number + 1}", lambda data=data: data, files, shared)
    except ImportRefused as problem:
        yield refused(file.name, problem)


def _too_large(file: StoredFile) -> ImportRefused:
    return ImportRefused(
        f"{file.base_name} has {file.size // 1_000_000} MB, more than the {XML_LIMIT_BYTES // 1_000_000} MB "
        "an article may have.",
        "Check that this is an article's XML.",
    )
