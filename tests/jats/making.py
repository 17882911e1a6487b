"""Small articles and packages made by hand for the tests of this room."""

import io
import tarfile
import zipfile
from pathlib import Path

from PIL import Image

from core.domain.article import CaseReport
from core.jats import ReadArticle, open_upload, open_uploads, read_article

XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'


def article(
    body: str = "<sec><title>Case report</title><p>A man.</p></sec>", after: str = "", meta: str = "", **attributes: str
) -> str:
    """Give an article with that body; `after` follows it, `meta` stands in the article's metadata."""
    own = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return (
        f"<article {XLINK} {own}><front><journal-meta><journal-title-group><journal-title>J</journal-title>"
        f"</journal-title-group></journal-meta><article-meta>{meta or TITLE}</article-meta></front>"
        f"<body>{body}</body>{after}</article>"
    )


TITLE = (
    '<article-id pub-id-type="pmc">123</article-id><title-group><article-title>A title</article-title></title-group>'
)


def fig(
    number: int = 1, href: str = "", caption: str = "<caption><p>A film.</p></caption>", label: str | None = None
) -> str:
    """Give a figure with the id `f<number>`."""
    shown = f"Figure {number}" if label is None else label
    graphic = f'<graphic xlink:href="{href or f"pic{number}"}"/>'
    return f'<fig id="f{number}"><label>{shown}</label>{caption}{graphic}</fig>'


def read(xml: str | bytes, name: str = "a.xml") -> CaseReport:
    """Read one article from its XML alone."""
    return read_whole(xml, name).report


def read_whole(xml: str | bytes, name: str = "a.xml") -> ReadArticle:
    """Read one article from its XML alone, with everything that comes with the report."""
    data = xml.encode() if isinstance(xml, str) else xml
    (package,) = open_upload(name, data)
    return read_article(package)


def read_with(xml: str, files: dict[str, bytes]) -> ReadArticle:
    """Read one article uploaded with other files beside it."""
    (package,) = open_uploads({"a.xml": xml.encode(), **files})
    return read_article(package)


def body_text(report: CaseReport) -> str:
    """Give the text of the section and table parts, one part to a line."""
    return "\n".join(part.text for part in report.parts if part.kind in ("section", "table"))


def picture(size: tuple[int, int] = (300, 200), kind: str = "PNG", mode: str = "RGB", **options: object) -> bytes:
    """Give the bytes of a picture."""
    out = io.BytesIO()
    Image.new(mode, size, options.pop("color", 0)).save(out, kind, **options)
    return out.getvalue()


def tar_gz(files: dict[str, bytes]) -> bytes:
    """Give a .tar.gz of these files."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    """Give a zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def write(folder: Path, files: dict[str, bytes | str]) -> Path:
    """Write files with their folders and give the folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder
