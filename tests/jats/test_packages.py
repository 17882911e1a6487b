"""What can be imported: files, folders, archives, in each layout of the last twenty years."""

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from core.errors import ImportRefused
from core.jats import open_packages, open_upload, open_uploads, read_article
from tests.jats.making import article, fig, picture, read_with, tar_gz, write, zipped

XML = article(f"<sec><title>Case</title><p>a</p>{fig(1, 'pic1')}</sec>")
PICTURE = picture()


def named(pmcid: str, href: str = "pic1") -> str:
    meta = f'<article-id pub-id-type="pmc">{pmcid}</article-id>'
    return article(f"<sec><title>Case</title><p>a</p>{fig(1, href)}</sec>", meta=meta)


def images(path: Path) -> dict[str, list[str | None]]:
    """Give for each article read from a path the file names of its pictures."""
    found = {}
    for package in open_packages(path):
        report = read_article(package).report
        found[report.id] = [
            graphic.file_name for figure in report.figures for graphic in figure.graphics if graphic.image
        ]
    return found


@pytest.mark.parametrize(
    "files",
    [
        {"PMC123/a.nxml": XML, "PMC123/pic1.jpg": PICTURE},
        {"PMC123/PMC123/a.nxml": XML, "PMC123/PMC123/pic1.png": PICTURE},
        {"PMC123/fulltext.xml": XML, "PMC123/pic1.tif": PICTURE, "PMC123/fulltext.pdf": b"%PDF"},
        {"fulltext.xml": XML, "images/pic1.jpeg": PICTURE},
        {"xml/a.xml": XML, "figures/PIC1.JPG": PICTURE},
        {"a.xml": XML, "supplementaryFiles.zip": zipped({"pic1.jpg": PICTURE})},
    ],
)
def test_an_article_folder_is_read_with_its_pictures(tmp_path, files):
    ((report_id, found),) = images(write(tmp_path, files)).items()
    assert report_id == "PMC123" and len(found) == 1


@pytest.mark.parametrize("pack", [tar_gz, zipped])
@pytest.mark.parametrize("inside", ["PMC123/", "PMC123/PMC123/", ""])
def test_an_archive_is_read_whatever_it_is_called(tmp_path, pack, inside):
    data = pack({f"{inside}x-g1.gif": b"GIF89a", f"{inside}a.nxml": XML.encode(), f"{inside}pic1.jpg": PICTURE})
    path = tmp_path / "PMC123.download"
    path.write_bytes(data)
    assert images(path) == {"PMC123": ["pic1.jpg"]}
    (package,) = open_upload("C:\\files\\a.bin", data)
    assert read_article(package).report.id == "PMC123"


@pytest.mark.parametrize("name", ["a.xml", "a.nxml", "a.txt", "a.xml.gz"])
def test_a_single_file_is_read_by_its_content(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress(XML.encode()) if name.endswith("gz") else XML.encode())
    assert images(tmp_path / name) == {"PMC123": []}


def test_files_uploaded_together_belong_together():
    (package,) = open_uploads({"a.xml": XML.encode(), "pic1.png": PICTURE})
    assert read_article(package).report.figures[0].graphics[0].file_name == "pic1.png"


def test_a_bulk_folder_gives_every_article_and_a_broken_one_does_not_end_it(tmp_path):
    write(tmp_path, {
        "one/PMC1.xml": named("1"), "one/pic1.jpg": PICTURE, "PMC2.tar.gz": tar_gz({"PMC2/b.nxml": named("2").encode()}),
        "PMC3.tar.gz": tar_gz({"PMC3/b.nxml": named("3").encode()})[:100], "flat/PMC4.xml": named("4", "x4"),
        "flat/PMC5.xml": named("5", "x5"), "flat/x5.jpg": PICTURE, "flat/PMC6.xml": "<article",
    })  # fmt: skip
    read_ids, refusals = [], []
    for package in open_packages(tmp_path):
        try:
            report = read_article(package).report
            read_ids.append(
                (report.id, sum(graphic.image is not None for f in report.figures for graphic in f.graphics))
            )
        except ImportRefused as refusal:
            refusals.append((package.base_name, str(refusal)))
    assert sorted(read_ids) == [("PMC1", 1), ("PMC2", 0), ("PMC4", 0), ("PMC5", 1)]
    assert [name for name, _ in refusals] == ["PMC3.tar.gz", "PMC6.xml"]
    assert "cut off or damaged" in refusals[0][1]


def test_a_picture_that_two_articles_of_one_folder_ask_for_is_given_to_neither(tmp_path):
    write(tmp_path, {"PMC1.xml": named("1"), "PMC2.xml": named("2"), "pic1.jpg": PICTURE})
    for package in open_packages(tmp_path):
        (graphic,) = read_article(package).report.figures[0].graphics
        assert graphic.image is None and "several articles of the folder" in graphic.problem


@pytest.mark.parametrize("compressed", [False, True])
def test_a_file_of_many_articles_is_cut_into_them(tmp_path, compressed):
    data = f"<pmc-articleset>{named('1')}\n{named('2')}</pmc-articleset>".encode()
    path = tmp_path / ("set.xml.gz" if compressed else "set.xml")
    path.write_bytes(gzip.compress(data) if compressed else data)
    assert list(images(path)) == ["PMC1", "PMC2"]


def test_an_xml_that_is_no_article_is_no_second_article_beside_one(tmp_path):
    write(tmp_path, {"a.xml": XML, "manifest.xml": "<manifest/>", "pic1.jpg": PICTURE, "._a.xml": "x"})
    assert images(tmp_path) == {"PMC123": ["pic1.jpg"]}


def cloud(tmp_path: Path, **changes: object) -> Path:
    digest = hashlib.md5(PICTURE, usedforsecurity=False).hexdigest()
    metadata = {
        "pmcid": "PMC123", "version": 2, "is_pmc_openaccess": True, "is_retracted": False, "license_code": "CC BY-NC-ND",
        "media_urls": [f"s3://pmc-oa-opendata/PMC123.2/pic1.jpg?md5={digest}"],
    } | changes  # fmt: skip
    return write(tmp_path / "PMC123.2", {
        "PMC123.2.xml": XML, "PMC123.2.json": json.dumps(metadata), "PMC123.2.txt": "text", "pic1.jpg": PICTURE,
    })  # fmt: skip


def test_a_cloud_folder_brings_licence_version_and_retraction(tmp_path):
    (package,) = open_packages(cloud(tmp_path))
    read = read_article(package)
    assert (read.version, read.report.licence.code, read.report.is_retracted) == (2, "CC BY-NC-ND", False)
    assert read.report.licence.forbids_adaptation and read.report.figures[0].graphics[0].image is not None


def test_a_picture_with_the_wrong_checksum_is_not_used(tmp_path):
    path = cloud(tmp_path, media_urls=["s3://x/PMC123.2/pic1.jpg?md5=" + "0" * 32], is_retracted=True)
    (package,) = open_packages(path)
    report = read_article(package).report
    assert report.figures[0].graphics[0].image is None and "checksum" in report.figures[0].graphics[0].problem
    assert report.is_retracted is True


def test_metadata_of_another_article_are_left_out(tmp_path):
    (package,) = open_packages(cloud(tmp_path, pmcid="PMC999"))
    read = read_article(package)
    assert (read.version, read.report.licence.code) == (None, "")
    assert any("PMC999" in warning for warning in read.report.warnings)


def test_a_json_that_is_no_metadata_is_ignored(tmp_path):
    write(tmp_path, {"a.xml": XML, "eupmc_result.json": '{"pmcid": 5}', "broken.json": "{", "list.json": "[1]"})
    assert images(tmp_path) == {"PMC123": []}


@pytest.mark.parametrize(
    ("href", "files", "chosen"),
    [
        ("pic1", ["pic1.gif", "pic1.jpg"], "pic1.jpg"),
        ("pic1.jpg", ["pic1.gif", "pic1.jpg"], "pic1.jpg"),
        ("pic1.gif", ["pic1.gif", "pic1.jpg"], "pic1.jpg"),
        ("pic1.jpg", ["pic1.png"], "pic1.png"),
        ("CRIM2016-1.001", ["CRIM2016-1.001.jpg", "CRIM2016-1.002.jpg", "CRIM2016-1.jpg"], "CRIM2016-1.001.jpg"),
        ("CRIM2016-1.003", ["CRIM2016-1.001.jpg", "CRIM2016-1.jpg"], None),
        ("pic 1", ["PIC 1.JPG"], "PIC 1.JPG"),
        ("https://host.org/a/b/pic1.jpg?x=1", ["pic1.jpg"], "pic1.jpg"),
        ("info:doi/10.1371/journal.pmed.0020171.g001", ["pmed.0020171.g001.jpg"], "pmed.0020171.g001.jpg"),
        ("sub/pic1", ["pic1.tif"], "pic1.tif"),
        ("pic%201", ["pic 1.png"], "pic 1.png"),
        ("pic1", ["pic10.jpg", "xpic1.jpg"], None),
    ],
)
def test_each_spelling_of_an_address_finds_its_file(href, files, chosen):
    xml = article(f"<sec><title>Case</title><p>a</p>{fig(1, href)}</sec>")
    (graphic,) = read_with(xml, {name: PICTURE for name in files}).report.figures[0].graphics
    assert (graphic.href, graphic.file_name) == (href, chosen)
    assert graphic.problem == ("" if chosen else "missing")


def test_a_lone_small_gif_is_a_thumbnail_and_never_the_picture():
    small, large = picture((100, 80), "GIF"), picture((600, 400), "GIF")
    (graphic,) = read_with(XML, {"pic1.gif": small}).report.figures[0].graphics
    assert graphic.image is None and "thumbnail of 100 px" in graphic.problem
    assert read_with(XML, {"pic1.gif": large}).report.figures[0].graphics[0].image is not None


def test_nothing_at_the_path_and_a_folder_without_xml_are_refused_with_a_next_step(tmp_path):
    with pytest.raises(ImportRefused, match="There is no file") as refusal:
        open_packages(tmp_path / "nothing")
    assert refusal.value.next_step
    (package,) = open_packages(write(tmp_path, {"a.jpg": PICTURE}))
    with pytest.raises(ImportRefused, match="holds no XML"):
        read_article(package)


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    assert images(write(tmp_path / "fulltext.xml", {"a.xml": XML})) == {"PMC123": []}


def test_the_source_names_the_file_and_no_path_of_the_machine(tmp_path):
    path = write(tmp_path / "PMC123", {"a.xml": XML})
    (package,) = open_packages(path)
    assert read_article(package).report.source == "PMC123/a.xml"


def test_unpacked_files_are_gone_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for package in open_upload("a.tar.gz", tar_gz({"a.nxml": XML.encode(), "pic1.jpg": PICTURE})):
        assert any(tmp_path.iterdir())
        read_article(package)
    del package
    assert not any(tmp_path.iterdir())
