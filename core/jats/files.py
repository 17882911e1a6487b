"""Which file of a package a figure's address means."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from core.jats.figures import extension_of

EXTENSIONS = ("jpg", "jpeg", "png", "webp", "tif", "tiff", "bmp", "gif", "svg", "pdf", "eps")
"""Image files by preference; a .gif beside another format is the thumbnail of a legacy package."""


def candidates(href: str) -> list[str]:
    """Give the names under which a file may be found, the most literal first: the address itself, its last part.

    An address may be a URL, `info:doi/...` or a path; PLOS files drop the word `journal.` of their address.
    """
    names = [href]
    bare = unquote(re.split(r"[?#]", href)[0]) if re.match(r"[a-z0-9+.-]+:", href, re.IGNORECASE) else unquote(href)
    names.append(bare)
    last = bare.replace("\\", "/").rstrip("/").rpartition("/")[2]
    names.append(last)
    names.append(last.removeprefix("journal."))
    return list(dict.fromkeys(name for name in names if name))


def find_file(href: str, names: Mapping[str, str]) -> str | None:
    """Give the name of the file for an address; None when there is none.

    Only a known image extension is ever taken off or put on (`X.001` is looked for as `X.001.jpg`, never as `X.jpg`).
    When the address ends in .gif and the same picture is there in another format, the other one is meant: the .gif
    is its thumbnail.

    Args:
        href: the address as the article writes it.
        names: lower-case file name without folders -> the name as it is; see `by_lower_name`.
    """
    for name in candidates(href):
        lowered = name.lower()
        extension = extension_of(lowered)
        stem = lowered[: -len(extension) - 1] if extension else lowered
        if extension and extension != "gif" and lowered in names:
            return names[lowered]
        for option in EXTENSIONS:
            if f"{stem}.{option}" in names:
                return names[f"{stem}.{option}"]
        if lowered in names:
            return names[lowered]
    return None


def by_lower_name(names: Sequence[str]) -> dict[str, str]:
    """Give lower-case base name -> full name; a name seen twice keeps the first in order of depth and spelling."""
    table: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (name.count("/"), name)):
        table.setdefault(name.rpartition("/")[2].lower(), name)
    return table
