"""A hand-made article with two figures, and its pictures, in a folder."""

import io
from pathlib import Path

from PIL import Image

XML = Path(__file__).with_suffix(".xml").read_text("utf-8")


def xml(pmcid: str = "PMC900001", title: str = "Cough in a baker", first="one.png", second="two.png") -> str:
    return XML.format(pmcid=pmcid, title=title, first=first, second=second)


def picture(grey: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (320, 240), grey).save(out, "PNG")
    return out.getvalue()


def files(pmcid: str = "PMC900001", title: str = "Cough in a baker", n_pictures: int = 2) -> dict[str, bytes]:
    pictures = {"one.png": picture(90), "two.png": picture(160)}
    return {"article.xml": xml(pmcid, title).encode()} | dict(list(pictures.items())[:n_pictures])


def write(folder: Path, **wishes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files(**wishes).items():
        (folder / name).write_bytes(data)
    return folder
