"""Bytes of an XML file to the tree of its article: no entities, no network, no DTD, bounded size and depth.

Elements are told by their local names, so a default namespace (OAI-PMH), an article set (efetch) and the bare
article give the same tree to every reader of this room.
"""

import re
from html.entities import html5

from lxml import etree

from core.errors import ImportRefused

XML_LIMIT_BYTES = 64 * 1024 * 1024
"""Largest XML file that is parsed; the largest article of the PMC Open Access subset is far below."""

LFS_MARK = b"version https://git-lfs.github.com/spec/"

_XML_OWN = {b"amp", b"lt", b"gt", b"quot", b"apos"}
_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9.]*);")
_ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
# Soft hyphen, zero-width space, word joiner and byte order mark: marks for typesetters inside words, not text.
_INVISIBLE = ("\u00ad", "\u200b", "\u2060", "\ufeff")
_INVISIBLE_REFERENCE = re.compile(
    rb"&(?:shy|ZeroWidthSpace|NoBreak|#(?:173|8203|8288|65279|x0*(?:ad|200b|2060|feff)));", re.I
)
_STRING = etree.XPath("string()", smart_strings=False)
_XMLNS = re.compile(rb"""xmlns(?::([\w.-]+))?\s*=\s*["']([^"']+)["']""")
_DOCTYPE = re.compile(rb"<!DOCTYPE\s[^\[>]*(\[)?")
_ROOT_TAG = re.compile(rb"<(?![?!])[^\s/>]+")
_PREFIXES = {
    "xlink": "http://www.w3.org/1999/xlink",
    "mml": "http://www.w3.org/1998/Math/MathML",
    "ali": "http://www.niso.org/schemas/ali/1.0/",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "oasis": "http://www.niso.org/standards/z39-96/ns/oasis-exchange/table",
}
_PARSER_OPTIONS = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


def local_name(element: etree._Element) -> str:
    """Give the name of an element without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if tag[0] == "{" else tag


def attribute(element: etree._Element, name: str) -> str:
    """Give an attribute by its local name (`href` finds `xlink:href`); empty when it is absent."""
    value = element.get(name)
    if value is not None:
        return value
    for key, value in element.items():
        if key.rpartition("}")[2] == name:
            return value
    return ""


def parse_article(data: bytes, name: str) -> etree._Element:
    """Give the first article element of an XML file, its names without namespaces.

    Args:
        data: the whole file, at most `XML_LIMIT_BYTES`.
        name: what the file is called, for messages.

    Raises:
        ImportRefused: not XML, cut off, a Git LFS pointer, no article in it, entities of its own, too deep or large.
    """
    plain = _without_entities(_without_doctype(_as_utf8(data, name), name), name)
    root, plain = _parse(plain, name)
    text = str(_STRING(root))
    if any(char in text for char in _INVISIBLE):
        root, plain = _parse(_without_invisible(plain), name)
    element = root if local_name(root) == "article" else next(root.iter("{*}article"), None)
    if element is None:
        raise ImportRefused(
            f"{name} is XML but holds no JATS article (its root is {local_name(root)}).",
            "Import the article's full-text JATS XML from PubMed Central or Europe PMC.",
        )
    for prefix, namespace in set(_XMLNS.findall(plain)):
        if not prefix or b"<" + prefix + b":" in plain:
            for inner in list(element.iter("{" + namespace.decode("utf-8", "replace") + "}*")):
                inner.tag = local_name(inner)
    return element


def _without_invisible(data: bytes) -> bytes:
    for invisible in _INVISIBLE:
        data = data.replace(invisible.encode(), b"")
    return _INVISIBLE_REFERENCE.sub(b"", data)


def _as_utf8(data: bytes, name: str) -> bytes:
    if len(data) > XML_LIMIT_BYTES:
        raise ImportRefused(
            f"{name} has {len(data) // 1_000_000} MB, more than the {XML_LIMIT_BYTES // 1_000_000} MB "
            "an article may have.",
            "Check that this is one article's XML and not a collection.",
        )
    if data.startswith(LFS_MARK):
        raise ImportRefused(
            f"{name} is a Git LFS pointer, not the article itself.",
            "Fetch the real file (git lfs pull) or download the article from PubMed Central.",
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = _decoded(data, "utf-16", name)
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not data:
        raise ImportRefused(f"{name} is empty.", "Download the file again.")
    if b"\x00" in data:
        raise _not_readable(name, "it holds NUL bytes")
    if not data.startswith(b"<"):
        raise _not_readable(name, "it does not start with a tag")
    declared = _ENCODING.match(data)
    if declared and declared.group(1).lower().startswith((b"utf-16", b"utf-32", b"ucs", b"iso-10646")):
        # Its declaration could be read byte by byte, so the text cannot be what it says.
        raise _not_readable(name, f"its text is not in the encoding it names ({declared.group(1).decode('ascii')})")
    if declared and declared.group(1).lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
        data = _decoded(data, declared.group(1).decode("ascii"), name)
    return data


def _decoded(data: bytes, encoding: str, name: str) -> bytes:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise _not_readable(name, f"its text is not in the encoding it names ({encoding[:40]})") from error
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text).encode("utf-8", "replace")


def _without_doctype(data: bytes, name: str) -> bytes:
    """Drop the DOCTYPE: external subsets are never loaded, and what an internal one declares is never expanded."""
    start = _ROOT_TAG.search(data)
    head_end = start.start() if start else len(data)
    match = _DOCTYPE.search(data, 0, head_end)
    if match is None:
        # A DOCTYPE with declarations has tags that look like a root only after its own end, so this is complete.
        return data
    end = data.find(b"]", match.end()) if match.group(1) else match.end()
    end = data.find(b">", end) if end >= 0 else -1
    if end < 0:
        raise _not_readable(name, "its document type declaration does not end")
    if match.group(1):
        # Declarations may hold "]" inside quotes; the root tag decides where the subset really ends.
        closing = re.compile(rb"\]\s*>").search(data, match.end())
        end = closing.end() - 1 if closing else end
    return data[: match.start()] + data[end + 1 :]


def _without_entities(data: bytes, name: str) -> bytes:
    named = set(_ENTITY.findall(data)) - _XML_OWN
    if not named:
        return data
    written: dict[bytes, bytes] = {}
    for entity in named:
        text = html5.get(entity.decode("ascii") + ";")
        if text is None:
            raise ImportRefused(
                f"{name} uses the entity &{entity.decode('ascii')[:40]};, which is defined by the file itself or "
                "nowhere, so its text cannot be read safely.",
                "Download the article from PubMed Central, where characters are written out.",
            )
        written[entity] = "".join(f"&#{ord(char)};" if char in "<>&" else char for char in text).encode()
    return _ENTITY.sub(lambda match: written.get(match.group(1), match.group(0)), data)


def _parse(data: bytes, name: str) -> tuple[etree._Element, bytes]:
    """Give the root and the bytes it was parsed from."""
    try:
        return etree.fromstring(data, etree.XMLParser(**_PARSER_OPTIONS)), data
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        message = str(error)
        if "Namespace prefix" in message:
            return _parse_with_prefixes(data, name)
        raise _not_readable(name, _short(message, data)) from error


def _parse_with_prefixes(data: bytes, name: str) -> tuple[etree._Element, bytes]:
    """Parse a file that leaves its namespace prefixes to the DTD's default attributes."""
    root = _ROOT_TAG.search(data)
    end = root.end() if root else 0
    tag = data[end : data.find(b">", end)]
    missing = [p for p in _PREFIXES if f"xmlns:{p}=".encode() not in tag]
    added = "".join(f' xmlns:{prefix}="{_PREFIXES[prefix]}"' for prefix in missing).encode()
    data = data[:end] + added + data[end:]
    try:
        return etree.fromstring(data, etree.XMLParser(**_PARSER_OPTIONS)), data
    except (etree.XMLSyntaxError, ValueError, LookupError) as error:
        raise _not_readable(name, _short(str(error), data)) from error


def _short(message: str, data: bytes) -> str:
    if "Excessive depth" in message:
        return "its elements are nested too deep"
    if "xmlSAX2Characters: huge text node" in message or "huge" in message.lower():
        return "one of its texts is too long"
    if "Premature end" in message or "EndTag" in message or not data.rstrip().endswith(b">"):
        return "it ends before its last tag is closed"
    text = re.sub(r"\s*\(<string>.*\)$", "", message).strip()
    return text[:160] or "its XML is damaged"


def _not_readable(name: str, why: str) -> ImportRefused:
    return ImportRefused(f"{name} cannot be read as XML: {why}.", "Check the file, or download the article again.")
