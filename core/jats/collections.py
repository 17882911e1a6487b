"""XML files that hold many articles: efetch article sets and Europe PMC bulk files, cut without reading them whole."""

import re
from collections.abc import Iterator
from pathlib import Path

from core.errors import ImportRefused
from core.jats.archives import StoredFile
from core.jats.xml import XML_LIMIT_BYTES

_OPEN = re.compile(rb"<article[\s>]")
_CLOSE = b"</article>"
_CHUNK = 4 * 1024 * 1024


def split_articles(file: StoredFile) -> Iterator[bytes | None]:
    """Give each article's XML of a file that holds several; a single None when it holds one or none.

    Raises:
        ImportRefused: an article of the collection is larger than any article may be.
    """
    if file.size <= XML_LIMIT_BYTES:
        data = file.read()
        # An article set has several article elements side by side; a sub-article has a name of its own.
        if len(_OPEN.findall(data)) < 2 or data.count(_CLOSE) < 2:
            yield None
            return
        for match in _OPEN.finditer(data):
            end = data.find(_CLOSE, match.start())
            if end >= 0:
                yield data[match.start() : end + len(_CLOSE)]
        return
    if file.path is None:
        yield None
        return
    yield from _streamed(file.path, file.base_name)


def _streamed(path: Path, name: str) -> Iterator[bytes]:
    buffer = b""
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            buffer += chunk
            while (end := buffer.find(_CLOSE)) >= 0:
                start = _OPEN.search(buffer, 0, end)
                if start:
                    yield buffer[start.start() : end + len(_CLOSE)]
                buffer = buffer[end + len(_CLOSE) :]
            if len(buffer) > XML_LIMIT_BYTES:
                raise ImportRefused(
                    f"{name} holds an article of more than {XML_LIMIT_BYTES // 1_000_000} MB.",
                    "Check that this is JATS XML.",
                )
