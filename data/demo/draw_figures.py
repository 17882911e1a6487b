"""Draws all figures of the demonstration articles and packs what goes with them.

Run from anywhere: `python data/demo/draw_figures.py`. It writes the figures into the article folders, the metadata
JSON of each folder (with the md5 of every file), and the legacy package with its 100 px thumbnails. The same code
gives the same pixels; tests/test_demo_data.py holds that.
"""

import gzip
import hashlib
import io
import json
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image

DEMO = Path(__file__).resolve().parent
sys.path.insert(0, str(DEMO))

from drawing import chest, ecg, endoscopy, eye, histology, skin  # noqa: E402

ARTICLES = DEMO / "articles"
LEGACY_SOURCE = DEMO / "legacy_source"
LEGACY_ID = "PMC99000006"
BUCKET = "s3://pmc-oa-opendata"
JPEG_QUALITY = 80

FIGURES: dict[str, dict[str, Callable[[], Image.Image]]] = {
    "PMC99000001": {
        "crdc-01-001-g001.png": ecg.twelve_leads_on_admission,
        "crdc-01-001-g002.png": ecg.rhythm_strip_with_p_markers,
        "crdc-01-001-g003.jpg": skin.thigh_with_ring,
        "crdc-01-001-g004.png": ecg.two_leads_on_day_nine,
    },
    "PMC99000002": {
        "crdc-01-007-g001.jpg": chest.chest_radiograph,
        "crdc-01-007-g002.jpg": chest.chest_ct_two_positions,
        "crdc-01-007-g003.jpg": histology.fungal_hyphae_silver,
    },
    "PMC99000003": {
        "crdc-01-012-g001.jpg": skin.tongue_with_nodule,
        "crdc-01-012-g002.jpg": histology.spindle_cell_tumour,
        "crdc-01-012-g003.jpg": histology.s100_immunostain,
    },
    "PMC99000004": {
        "crdc-01-018-g001.jpg": endoscopy.oesophagus_with_rings,
        "crdc-01-018-g002.jpg": histology.eosinophils_in_oesophagus,
    },
    "PMC99000005": {
        "crdc-01-023-g001.jpg": eye.fundus_of_both_eyes,
        "crdc-01-023-g002.jpg": eye.oct_with_fluid,
        "crdc-01-023-g003.jpg": eye.angiogram_early_and_late,
        "crdc-01-023-g004.jpg": eye.oct_after_three_months,
    },
    LEGACY_ID: {
        "crdc-2026-4410006-g001.jpg": skin.forearm_with_nodules,
        "crdc-2026-4410006-g002.jpg": histology.yeasts_pas,
        "crdc-2026-4410006-g003.jpg": skin.culture_plate,
    },
}


def encode(picture: Image.Image, file_name: str) -> bytes:
    """Give the picture as the bytes of a PNG, JPEG or GIF file, by the ending of its name."""
    out = io.BytesIO()
    if file_name.endswith(".jpg"):
        picture.save(out, "JPEG", quality=JPEG_QUALITY, optimize=True)
    elif file_name.endswith(".gif"):
        picture.convert("P", palette=Image.Palette.ADAPTIVE).save(out, "GIF")
    else:
        picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def thumbnail(picture: Image.Image) -> Image.Image:
    """Give the picture 100 px wide, as legacy packages hold beside every figure."""
    return picture.convert("RGB").resize((100, round(100 * picture.height / picture.width)), Image.Resampling.BICUBIC)


def metadata(folder: Path, article_id: str, title: str, doi: str) -> dict[str, object]:
    """Give the metadata of one folder of the 2026 cloud layout; every address carries the md5 of its file."""

    def address(path: Path) -> str:
        return f"{BUCKET}/{folder.name}/{path.name}?md5={hashlib.md5(path.read_bytes()).hexdigest()}"

    return {
        "pmcid": article_id,
        "version": 1,
        "pmid": None,
        "doi": doi,
        "title": title,
        "citation": "CaseRounds Demonstration Cases. 2026;1. Invented article.",
        "is_pmc_openaccess": True,
        "is_manuscript": False,
        "is_historical_ocr": False,
        "is_retracted": False,
        "license_code": "CC BY",
        "xml_url": address(folder / f"{folder.name}.xml"),
        "pdf_url": None,
        "media_urls": [address(folder / name) for name in FIGURES[article_id]],
        "text_url": None,
        "demonstration": True,
    }


def _between(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]


def write_cloud_folder(article_id: str) -> None:
    """Write the figures and the metadata JSON of one article in the 2026 cloud layout."""
    folder = ARTICLES / f"{article_id}.1"
    for name, draw in FIGURES[article_id].items():
        (folder / name).write_bytes(encode(draw(), name))
    xml = (folder / f"{folder.name}.xml").read_text(encoding="utf-8")
    record = metadata(
        folder,
        article_id,
        title=_between(xml, "<article-title>", "</article-title>"),
        doi=_between(xml, '<article-id pub-id-type="doi">', "</article-id>"),
    )
    (folder / f"{folder.name}.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def write_legacy_package() -> None:
    """Write the .tar.gz: the .nxml, and each figure as X.jpg beside its thumbnail X.gif; all times are zero."""
    members: list[tuple[str, bytes]] = []
    for name, draw in FIGURES[LEGACY_ID].items():
        picture = draw()
        thumb = name.removesuffix(".jpg") + ".gif"
        members += [(thumb, encode(thumbnail(picture), thumb)), (name, encode(picture, name))]
    source = next(LEGACY_SOURCE.glob("*.nxml"))
    members.insert(2, (source.name, source.read_bytes()))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in members:
            entry = tarfile.TarInfo(f"{LEGACY_ID}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    with (
        (ARTICLES / f"{LEGACY_ID}.tar.gz").open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out,
    ):
        out.write(packed.getvalue())


def main() -> None:
    """Draw and pack everything."""
    for article_id in FIGURES:
        if article_id != LEGACY_ID:
            write_cloud_folder(article_id)
    write_legacy_package()


if __name__ == "__main__":
    main()
