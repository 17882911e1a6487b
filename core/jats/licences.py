"""The licence of an article as its XML or the PMC metadata state it."""

import re

from lxml import etree

from core.domain.article import Licence
from core.jats.inline import whole_text
from core.jats.xml import attribute

_ADDRESS = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(?:licenses|licences|publicdomain)/[A-Za-z0-9./_-]+", re.IGNORECASE
)
_IN_ADDRESS = re.compile(
    r"creativecommons\.org/(?:licen[cs]es/(by(?:-nc)?(?:-(?:nd|sa))?)|publicdomain/(zero|mark))", re.IGNORECASE
)
_SHORT = re.compile(r"\bCC[\s-]?(?:0|BY(?:[\s-]NC)?(?:[\s-](?:ND|SA))?)(?![\w])", re.IGNORECASE)
_NAMED = re.compile(
    r"creative\s+commons\W+(?:\w+\W+){0,3}?attribution((?:\W+(?:non\W?commercial|no\W?deriv\w*|share\W?alike))*)",
    re.IGNORECASE,
)
_TYPES = {"ccbylicense": "CC BY", "cczerolicense": "CC0", "ccbynclicense": "CC BY-NC", "ccbysalicense": "CC BY-SA",
          "ccbyndlicense": "CC BY-ND", "ccbyncndlicense": "CC BY-NC-ND", "ccbyncsalicense": "CC BY-NC-SA"}  # fmt: skip


def read_licence(article_meta: etree._Element | None, metadata_code: str = "") -> Licence:
    """Give the licence of an article.

    Args:
        article_meta: the `article-meta` element; None when the article has none.
        metadata_code: `license_code` of the PMC metadata; it wins over the XML, being PMC's own reading.

    Returns:
        The licence; its code is empty when nothing is stated, its text is what the article prints.
    """
    if article_meta is None:
        return Licence(code=normal_code(metadata_code))
    texts: list[str] = []
    addresses: list[str] = []
    code = ""
    for licence in article_meta.iter("license"):
        address = attribute(licence, "href").strip()
        addresses.extend([address] if address else [])
        texts.append(" ".join(whole_text(licence).split()))
        for node in licence.iter("license_ref"):
            code = code or _TYPES.get((node.get("content-type") or "").lower(), "")
            addresses.append((node.text or "").strip())
        addresses.extend(attribute(node, "href").strip() for node in licence.iter("ext-link", "uri"))
    for node in article_meta.iter("license_ref"):
        code = code or _TYPES.get((node.get("content-type") or "").lower(), "")
        addresses.append((node.text or "").strip())
    statement = " ".join(
        " ".join(whole_text(node).split())
        for node in article_meta.iter("copyright-statement")
        if whole_text(node).strip()
    )
    text = " ".join(dict.fromkeys(part for part in texts if part)) or statement
    named = ""
    for meta in article_meta.iter("custom-meta"):
        name, value = meta.find("meta-name"), meta.find("meta-value")
        if name is not None and value is not None and (name.text or "").strip() == "pmc-license-ref":
            named = (value.text or "").strip()
    addresses.extend(_ADDRESS.findall(text))
    address = next((one for one in addresses if _IN_ADDRESS.search(one)), "")
    code = normal_code(metadata_code) or normal_code(named) or code_of_address(address) or code or code_of_prose(text)
    url = address or next((one for one in addresses if one.startswith(("http://", "https://"))), "")
    return Licence(code=code, url=url.rstrip(".,;)"), text=text)


def normal_code(code: str) -> str:
    """Give a licence code as the metadata spell it (`cc-by-nc` gives `CC BY-NC`); empty for no licence named."""
    words = [word for word in re.split(r"[\s_-]+", code.strip().upper()) if word]
    if not words or words[0] in ("NONE", "NO", "OTHER", "N/A"):
        return ""
    if words[0] == "CC0" or words[:2] == ["CC", "0"] or words[:2] == ["CC", "ZERO"]:
        return "CC0"
    if words[0] == "CC" and len(words) > 1:
        return "CC " + "-".join(word for word in words[1:] if not re.match(r"\d", word))
    return " ".join(words)


def code_of_address(address: str) -> str:
    """Give the code a Creative Commons address stands for; empty for any other address."""
    match = _IN_ADDRESS.search(address)
    if match is None:
        return ""
    return f"CC {match.group(1).upper()}" if match.group(1) else "CC0"


def code_of_prose(text: str) -> str:
    """Give the code a licence text names in words (`Creative Commons Attribution License`); empty when none."""
    match = _SHORT.search(text)
    if match:
        return normal_code(match.group(0))
    match = _NAMED.search(text)
    if match:
        extras = match.group(1).lower()
        parts = ["BY"]
        parts += ["NC"] if "non" in extras else []
        parts += ["ND"] if "deriv" in extras else ["SA"] if "share" in extras else []
        return "CC " + "-".join(parts)
    lowered = text.lower()
    if "public domain" in lowered or "cc0" in lowered or "creative commons zero" in lowered:
        return "CC0"
    return ""
