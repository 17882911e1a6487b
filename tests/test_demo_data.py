"""The demonstration study is complete, honest about itself, and its figures are what the script draws."""

import hashlib
import io
import json
import re
import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

DEMO = Path(__file__).resolve().parent.parent / "data" / "demo"
sys.path.insert(0, str(DEMO))

import draw_figures  # noqa: E402
from drawing import ecg  # noqa: E402

DRAWN = [(article, name) for article, figures in draw_figures.FIGURES.items() for name in figures]
CLOUD_FOLDERS = sorted((DEMO / "articles").glob("PMC*.1"))
PACKAGE = DEMO / "articles" / f"{draw_figures.LEGACY_ID}.tar.gz"


def committed_bytes(article: str, name: str) -> bytes:
    if article == draw_figures.LEGACY_ID:
        with tarfile.open(PACKAGE) as package:
            return package.extractfile(f"{article}/{name}").read()
    return (DEMO / "articles" / f"{article}.1" / name).read_bytes()


def article_texts() -> dict[str, str]:
    texts = {folder.name: (folder / f"{folder.name}.xml").read_text(encoding="utf-8") for folder in CLOUD_FOLDERS}
    return texts | {draw_figures.LEGACY_ID: next((DEMO / "legacy_source").glob("*.nxml")).read_text(encoding="utf-8")}


@pytest.mark.parametrize(("article", "name"), DRAWN, ids=[name for _, name in DRAWN])
def test_drawing_a_figure_again_gives_the_committed_picture(article, name):
    committed = Image.open(io.BytesIO(committed_bytes(article, name)))
    again = Image.open(io.BytesIO(draw_figures.encode(draw_figures.FIGURES[article][name](), name)))
    assert again.size == committed.size
    # Pixels and not file hashes: another build of zlib or libjpeg may pack the same picture into other bytes.
    difference = np.asarray(again.convert("RGB"), dtype=int) - np.asarray(committed.convert("RGB"), dtype=int)
    assert np.abs(difference).mean() < 0.5


@pytest.mark.parametrize(("article", "name"), DRAWN, ids=[name for _, name in DRAWN])
def test_a_figure_is_800_to_1600_px_wide_and_under_250_kb(article, name):
    data = committed_bytes(article, name)
    assert 800 <= Image.open(io.BytesIO(data)).width <= 1600
    assert len(data) < 250_000


def test_p_waves_and_qrs_complexes_are_two_regular_trains_without_a_fixed_relation():
    rhythm = ecg.ADMISSION
    pp, rr = np.diff(rhythm.p_onsets_s), np.diff(rhythm.qrs_onsets_s)
    assert np.allclose(pp, 60 / 88, atol=2e-6) and np.allclose(rr, 60 / 38, atol=2e-6)
    p_onsets = np.array(rhythm.p_onsets_s)
    intervals = [qrs - p_onsets[p_onsets <= qrs].max() for qrs in rhythm.qrs_onsets_s]
    assert np.ptp(intervals) > 0.3


def test_the_limb_leads_obey_einthoven():
    assert np.allclose(ecg.LEADS["I"] + ecg.LEADS["III"], ecg.LEADS["II"])
    assert np.allclose(ecg.LEADS["aVR"] + ecg.LEADS["aVL"] + ecg.LEADS["aVF"], 0)


def test_five_articles_stand_in_the_cloud_layout_and_one_is_a_legacy_package():
    assert len(CLOUD_FOLDERS) == 5
    for folder in CLOUD_FOLDERS:
        hrefs = re.findall(r'xlink:href="([^"]+\.(?:png|jpg))"', article_texts()[folder.name])
        assert hrefs and all((folder / href).is_file() for href in hrefs)
    with tarfile.open(PACKAGE) as package:
        names = [member.name for member in package.getmembers()]
    text = article_texts()[draw_figures.LEGACY_ID]
    for href in re.findall(r'<graphic xlink:href="([^"]+)"', text):
        assert not href.endswith((".jpg", ".gif", ".png"))
        assert f"{draw_figures.LEGACY_ID}/{href}.jpg" in names and f"{draw_figures.LEGACY_ID}/{href}.gif" in names


@pytest.mark.parametrize("folder", CLOUD_FOLDERS, ids=lambda folder: folder.name)
def test_the_metadata_json_names_every_file_with_its_md5(folder):
    record = json.loads((folder / f"{folder.name}.json").read_text(encoding="utf-8"))
    addresses = [record["xml_url"], *record["media_urls"]]
    assert {a.split("/")[-1].split("?")[0] for a in addresses} == {
        path.name for path in folder.iterdir() if path.suffix != ".json"
    }
    for address in addresses:
        name, md5 = re.fullmatch(rf"s3://pmc-oa-opendata/{folder.name}/(.+)\?md5=([0-9a-f]{{32}})", address).groups()
        assert hashlib.md5((folder / name).read_bytes()).hexdigest() == md5


@pytest.mark.parametrize("article", article_texts())
def test_every_article_says_that_it_is_invented_and_its_figures_computed(article):
    text = article_texts()[article]
    assert "are invented" in text and "computed by a program" in text
    body = re.sub(r"<[^>]+>", " ", text.split("<abstract>", 1)[1])
    assert 700 <= len(body.split()) <= 1500
