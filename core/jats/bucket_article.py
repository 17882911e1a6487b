"""What PMC's metadata say of one version of an article: may it be read, what belongs to it, when was it published."""

import json
import re
from calendar import monthrange
from dataclasses import dataclass
from typing import Any

from core.errors import ImportRefused
from core.jats.files import EXTENSIONS
from core.jats.metadata import CloudMetadata, read_metadata

_URL = re.compile(r"^(?:s3|https?)://[^/]+/([^?#]+)(?:\?([^#]*))?")
_MD5 = re.compile(r"(?:^|&)md5=([0-9a-fA-F]{32})(?:&|$)")
_PLAIN_NAME = re.compile(r"[^./\\:*?\"<>|\x00-\x1f][^/\\:*?\"<>|\x00-\x1f]{0,199}")
_DATE = re.compile(r"\b((?:19|20)\d\d)(?: (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: (\d{1,2}))?\b)?")
_LONGEST_TITLE = 400
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(frozen=True)
class CloudFile:
    """One object of an article version.

    Attributes:
        key: of the object in the bucket.
        name: of the file, without folders.
        md5: hex checksum that PMC states; empty when it states none.
    """

    key: str
    name: str
    md5: str


@dataclass(frozen=True)
class CloudArticle:
    """One version of an article as the bucket offers it; nothing of its text or pictures has been fetched yet.

    Attributes:
        pmcid: for example `PMC123`.
        version: the number after the dot.
        versions: every version the bucket holds, ascending.
        metadata: PMC's JSON as the reader of packages understands it.
        title: empty when not stated.
        published_on: `2019`, `2019-05` or `2019-05-14`, read from the citation; empty when it names no date.
        xml: the article's text.
        pictures: files that can be pictures of figures.
        others: names of the further files (films, tables, archives), which are not fetched.
        is_text_only: PMC may pass on the text alone: there is neither a PDF nor any other file.
        data: the JSON, byte for byte.
    """

    pmcid: str
    version: int
    versions: tuple[int, ...]
    metadata: CloudMetadata
    title: str
    published_on: str
    xml: CloudFile
    pictures: tuple[CloudFile, ...]
    others: tuple[str, ...]
    is_text_only: bool
    data: bytes

    @property
    def name(self) -> str:
        """The article with its version, as the bucket's folder is called."""
        return f"{self.pmcid}.{self.version}"


def read_cloud_article(data: bytes, pmcid: str, version: int, versions: tuple[int, ...]) -> CloudArticle:
    """Give the article that a metadata JSON of the bucket describes.

    Raises:
        ImportRefused: the JSON cannot be read, speaks of another article or version, or names no XML.
    """
    name = f"{pmcid}.{version}"
    metadata = read_metadata(data)
    if metadata is None:
        raise _unusable(name, "they are no JSON of the PMC cloud service")
    if metadata.pmcid != pmcid or metadata.version not in (None, version):
        raise _unusable(name, f"they speak of {metadata.pmcid}.{metadata.version}")
    found: dict[str, Any] = json.loads(data.decode("utf-8-sig"))
    try:
        # Half a character, written as \ud800, could neither be stored nor printed.
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _unusable(name, "their text is damaged") from error
    xml = _file(found.get("xml_url"), name)
    if xml is None:
        raise _unusable(name, "they name no XML file")
    listed = found.get("media_urls")
    media = [_file(url, name) for url in (listed if isinstance(listed, list) else [])]
    files = {file.name: file for file in media if file is not None}
    pictures = tuple(file for file in files.values() if _is_picture(file.name))
    return CloudArticle(
        pmcid=pmcid,
        version=version,
        versions=versions,
        metadata=metadata,
        title=_one_line(str(found.get("title") or "")),
        published_on=date_of_citation(str(found.get("citation") or "")),
        xml=xml,
        pictures=pictures,
        others=tuple(one for one in files if not _is_picture(one)),
        is_text_only=not files and not found.get("pdf_url"),
        data=data,
    )


def date_of_citation(citation: str) -> str:
    """Give the date of `J Name. 2019 May 14;3(2):149` as far as it is there; empty without a year."""
    match = _DATE.search(citation)
    if match is None:
        return ""
    year, month, day = match.groups()
    if month is None:
        return year
    date = f"{year}-{_MONTHS.index(month) + 1:02}"
    is_day = day and 1 <= int(day) <= monthrange(int(year), _MONTHS.index(month) + 1)[1]
    return f"{date}-{int(day):02}" if is_day else date


def _file(url: object, name: str) -> CloudFile | None:
    """Give the object a URL means; None when it lies outside the version's own folder or under a name of no file."""
    match = _URL.match(url) if isinstance(url, str) else None
    if match is None:
        return None
    key = match.group(1)
    folder, _, base = key.rpartition("/")
    if folder != name or not _PLAIN_NAME.fullmatch(base):
        return None
    md5 = _MD5.search(match.group(2) or "")
    return CloudFile(key, base, md5.group(1).lower() if md5 else "")


def _one_line(text: str) -> str:
    return "".join(c for c in " ".join(text.split()) if c.isprintable())[:_LONGEST_TITLE]


def _is_picture(name: str) -> bool:
    return name.rpartition(".")[2].lower() in EXTENSIONS


def _unusable(name: str, why: str) -> ImportRefused:
    return ImportRefused(f"PMC's metadata of {name} cannot be used: {why}.", "Try again later, or report it to PMC.")
