"""Articles of the PMC Open Access bucket: which versions there are, what PMC says of them, and their files on disk.

    with BucketClient(address) as client:
        article = find_article(client, "PMC6497212")           # licence, date, retraction; nothing fetched yet
        fetched = fetch_article(client, article, folder)       # folder/PMC6497212.1/, ready for `open_packages`

Layout: the bucket's README and NLM Technical Bulletin 2026 Jan-Feb (468), e8. Only this room speaks to it.
"""

import hashlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import ImportRefused
from core.jats.archives import KEPT_LIMIT_BYTES
from core.jats.bucket_article import CloudArticle, CloudFile, read_cloud_article
from core.jats.bucket_http import BucketClient, NoSuchObject, TooLarge, Unavailable, Unreachable, xml_of
from core.jats.xml import XML_LIMIT_BYTES

__all__ = [
    "BucketClient",
    "CloudArticle",
    "FetchedArticle",
    "Unavailable",
    "Unreachable",
    "fetch_article",
    "find_article",
    "list_versions",
    "notes_on",
]

_JSON_LIMIT_BYTES = 4 * 1024 * 1024
_PAGE_LIMIT_BYTES = 8 * 1024 * 1024
_MOST_PAGES = 100
_LEFTOVER_AGE_S = 3600


@dataclass(frozen=True)
class FetchedArticle:
    """An article's files on disk.

    Attributes:
        folder: holds the metadata, the pictures and the XML.
        n_files: files that belong to the article now, the metadata among them.
        n_new: of these fetched this time; the others were there already with the right checksum.
        size_bytes: of everything that belongs to the article now.
        warnings: what PMC offers but could not be had, one sentence each.
    """

    folder: Path
    n_files: int
    n_new: int
    size_bytes: int
    warnings: tuple[str, ...]


def list_versions(client: BucketClient, pmcid: str) -> tuple[int, ...]:
    """Give the versions the bucket holds of an article, ascending; empty when it holds none.

    Raises:
        ImportRefused: the bucket cannot be asked, or does not answer as one.
    """
    # With the dot: PMC12 must not find PMC123's folders.
    query = {"list-type": "2", "prefix": f"{pmcid}.", "delimiter": "/"}
    folder = re.compile(rf"{re.escape(pmcid)}\.([0-9]{{1,9}})/")
    versions: set[int] = set()
    for _ in range(_MOST_PAGES):
        prefixes, token = _page(client, query, pmcid)
        versions.update(int(match.group(1)) for one in prefixes if (match := folder.fullmatch(one)))
        if not token or token == query.get("continuation-token"):
            break
        query["continuation-token"] = token
    return tuple(sorted(versions))


def _page(client: BucketClient, query: dict[str, str], pmcid: str) -> tuple[list[str], str]:
    no_bucket = ImportRefused(
        f"{client.host} does not answer as the PMC bucket does.",
        "Check its address in CASEROUNDS_PMC_BUCKET, and whether a proxy answers in its place.",
    )
    try:
        root = xml_of(client.get("", f"the list of versions of {pmcid}", _PAGE_LIMIT_BYTES, query))
    except (NoSuchObject, ValueError) as error:
        raise no_bucket from error
    if not str(root.tag).endswith("ListBucketResult"):
        raise no_bucket
    prefixes = [one.findtext("{*}Prefix") or "" for one in root.iterfind("{*}CommonPrefixes")]
    return prefixes, root.findtext("{*}NextContinuationToken") or ""


def find_article(client: BucketClient, pmcid: str, version: int | None = None) -> CloudArticle:
    """Give what PMC says of an article; nothing of the article itself is fetched.

    Without a version, the highest that is not an author's manuscript is taken, else the highest.

    Raises:
        ImportRefused: there is no such article or version, it is not open access, or the bucket cannot be asked.
    """
    versions = list_versions(client, pmcid)
    if not versions:
        raise ImportRefused(
            f"PMC's open access bucket holds no {pmcid}: there is no such article, or it is not open access.",
            "Check the id, or import the article from files of your own.",
        )
    if version is not None and version not in versions:
        raise ImportRefused(
            f"There is no version {version} of {pmcid}; there is {_listed(versions)}.", "Name one of these, or none."
        )
    if version is not None:
        return _open_only(_described(client, pmcid, version, versions), None)
    described: list[CloudArticle] = []
    for number in reversed(versions):
        described.append(_described(client, pmcid, number, versions))
        if not described[-1].metadata.is_manuscript:
            return _open_only(described[-1], next((one for one in described if _is_open(one)), None))
    return _open_only(described[0], next((one for one in described if _is_open(one)), None))


def _described(client: BucketClient, pmcid: str, version: int, versions: tuple[int, ...]) -> CloudArticle:
    name = f"{pmcid}.{version}"
    data = client.get(f"{name}/{name}.json", f"{name}.json", _JSON_LIMIT_BYTES)
    return read_cloud_article(data, pmcid, version, versions)


def _is_open(article: CloudArticle) -> bool:
    return article.metadata.is_open_access is not False


def _open_only(article: CloudArticle, other: CloudArticle | None) -> CloudArticle:
    if _is_open(article):
        return article
    licence = article.metadata.license_code
    raise ImportRefused(
        f"{article.name} is not open access{f' (licence {licence})' if licence else ''}.",
        f"{other.name} is: fetch it under that name." if other else "Choose an article of PMC's open access subset.",
    )


def notes_on(article: CloudArticle) -> tuple[str, ...]:
    """Give what a person should know of an article before it is used, one sentence each; empty when all is plain."""
    notes = []
    if len(article.versions) > 1:
        kind = ", an author's manuscript" if article.metadata.is_manuscript else ""
        notes.append(
            f"PMC holds {_listed(article.versions)} of {article.pmcid}; this is version {article.version}{kind}."
        )
    elif article.metadata.is_manuscript:
        notes.append(f"{article.name} is an author's manuscript, not the published version.")
    if article.metadata.is_retracted:
        notes.append(f"{article.name} is retracted.")
    if article.is_text_only:
        notes.append(
            f"PMC may pass on only the XML of {article.name}: its pictures must be attached by hand, where the licence "
            "allows it."
        )
    if article.others:
        count = f"{len(article.others)} further files were" if len(article.others) > 1 else "One further file was"
        notes.append(f"{count} not fetched, since they are no pictures: {', '.join(article.others[:10])}.")
    return tuple(notes)


def _listed(versions: tuple[int, ...]) -> str:
    if len(versions) == 1:
        return f"version {versions[0]}"
    return f"versions {', '.join(map(str, versions[:-1]))} and {versions[-1]}"


def fetch_article(
    client: BucketClient,
    article: CloudArticle,
    parent: Path,
    progress: Callable[[int, int, str], None] = lambda done, total, text: None,
) -> FetchedArticle:
    """Put an article's files into a folder of its name, and give what is there.

    A file that is there with the checksum PMC states stays; every other is fetched anew. The XML comes last, so that a
    folder whose fetching was broken off holds no article yet.

    Args:
        client: of the bucket.
        article: from `find_article`.
        parent: the folder that gets the article's folder.
        progress: called before each file with (files done, files in all, its name).

    Raises:
        ImportRefused: the XML, or a picture that is there, could not be had whole, or not be stored.
    """
    folder = parent / article.name
    files = (*article.pictures, article.xml)
    warnings: list[str] = []
    n_new, size = 1, len(article.data)
    n_files = 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(folder)
        _forget_changed_xml(folder / article.xml.name, article.xml)
        _write_whole(folder / f"{article.name}.json", article.data)
        for done, file in enumerate(files):
            progress(done, len(files), file.name)
            present = _size_if_right(folder / file.name, file)
            if present is not None:
                size += present
                n_files += 1
                continue
            limit = XML_LIMIT_BYTES if file is article.xml else KEPT_LIMIT_BYTES
            try:
                size += client.download(file.key, folder / file.name, file.md5, limit)
            except NoSuchObject:
                if file is article.xml:
                    raise
                warnings.append(f"PMC names a file {file.name}, but does not hold it.")
                continue
            except TooLarge as refusal:
                if file is article.xml:
                    raise
                warnings.append(f"{refusal.message} It was not fetched.")
                continue
            n_new += 1
            n_files += 1
            if not file.md5:
                warnings.append(f"PMC states no checksum of {file.name}: it could not be checked.")
    except OSError as error:
        raise ImportRefused(
            f"{article.name} cannot be stored: {error.strerror or error}.", "Check free space and rights."
        ) from error
    progress(len(files), len(files), article.name)
    return FetchedArticle(folder, n_files, n_new, size, tuple(warnings))


def _clear_leftovers(folder: Path) -> None:
    """Remove what a killed process left behind, but nothing that another one may be writing now."""
    for leftover in folder.glob(".*.part"):
        if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE_S:
            leftover.unlink(missing_ok=True)


def _write_whole(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def _forget_changed_xml(path: Path, file: CloudFile) -> None:
    """Take away an XML that PMC has replaced: beside new pictures it would pass for the article."""
    if path.is_file() and _size_if_right(path, file) is None:
        path.unlink()


def _size_if_right(path: Path, file: CloudFile) -> int | None:
    if not file.md5 or not path.is_file():
        return None
    found = hashlib.md5(usedforsecurity=False)
    size = 0
    with path.open("rb") as stream:
        while chunk := stream.read(1024 * 1024):
            found.update(chunk)
            size += len(chunk)
    return size if found.hexdigest() == file.md5 else None
