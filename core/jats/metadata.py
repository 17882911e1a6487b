"""The JSON that PMC's cloud service puts beside each article: licence, version, retraction, checksums."""

import json
import re
from dataclasses import dataclass, field

from core.jats.licences import normal_code

_MD5 = re.compile(r"[?&]md5=([0-9a-fA-F]{32})")


@dataclass(frozen=True)
class CloudMetadata:
    """What the metadata of one article version say; empty or None where they say nothing.

    Attributes:
        md5: lower-case file name -> its MD5 in hex, for the XML, the PDF, the text and every media file.
    """

    pmcid: str = ""
    version: int | None = None
    license_code: str = ""
    is_retracted: bool | None = None
    is_open_access: bool | None = None
    is_manuscript: bool | None = None
    md5: dict[str, str] = field(default_factory=dict)


def read_metadata(data: bytes) -> CloudMetadata | None:
    """Give the metadata of a PMC cloud JSON; None when it is not one."""
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not re.fullmatch(r"PMC\d+", str(found.get("pmcid", ""))):
        return None
    if not ({"license_code", "xml_url", "is_retracted", "media_urls"} & found.keys()):
        return None
    media = found.get("media_urls")
    urls = [found.get(key) for key in ("xml_url", "pdf_url", "text_url")] + (media if isinstance(media, list) else [])
    md5 = {}
    for url in urls:
        match = _MD5.search(url) if isinstance(url, str) else None
        if match:
            md5[url.split("?")[0].rpartition("/")[2].lower()] = match.group(1).lower()
    version = found.get("version")
    return CloudMetadata(
        pmcid=found["pmcid"],
        version=int(version) if re.fullmatch(r"[0-9]{1,9}", str(version)) else None,
        license_code=normal_code(str(found.get("license_code") or "")),
        is_retracted=_flag(found.get("is_retracted")),
        is_open_access=_flag(found.get("is_pmc_openaccess")),
        is_manuscript=_flag(found.get("is_manuscript")),
        md5=md5,
    )


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(str(value).lower())
