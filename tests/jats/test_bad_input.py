"""Whatever is wrong with a file: one clear sentence, a next step, bounded time and memory."""

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ImportRefused
from core.jats import open_packages, open_upload, read_article
from tests.jats.making import article, fig, picture, tar_gz, zipped

GOOD = article(f"<sec><title>Case</title><p>a</p>{fig()}</sec>").encode()


def refusal_of(data: bytes, name: str = "a.xml") -> str:
    """Give the message with which an upload is refused; nothing but ImportRefused may be raised."""
    for package in open_upload(name, data):
        with pytest.raises(ImportRefused) as refusal:
            read_article(package)
        assert refusal.value.message.count("\n") == 0 and len(str(refusal.value)) < 400
        assert refusal.value.next_step
        return str(refusal.value)
    raise AssertionError("no package")


BOMB = "<!DOCTYPE article [<!ENTITY a0 'lol'>" + "".join(
    f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10)
)  # fmt: skip


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"   \n ", "is empty"),
        (b"just some words", "does not start with a tag"),
        (b"%PDF-1.7", "does not start with a tag"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n", "Git LFS pointer"),
        (b"<html><body>Not found</body></html>", "no JATS article"),
        (GOOD[:-30], "ends before its last tag"),
        (GOOD.replace(b"<p>a", b"<p>a\x00"), "NUL bytes"),
        (GOOD.replace(b"<p>a", b"<p>\xff\xfe"), "cannot be read as XML"),
        (b'<?xml version="1.0" encoding="utf-16"?>' + GOOD, "encoding it names"),
        (b'<?xml version="1.0" encoding="klingon"?>' + GOOD, "encoding it names"),
        (
            b'<?xml version="1.0" encoding="ascii"?>' + GOOD.replace(b"<p>a", "<p>\u00e9".encode("latin-1")),
            "cannot be read",
        ),
        (f"{BOMB}]>".encode() + GOOD.replace(b"<p>a", b"<p>&a9;"), "entity &a9;"),
        (
            b"<!DOCTYPE article [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + GOOD.replace(b"<p>a", b"<p>&x;"),
            "entity &x;",
        ),
        (b"<!DOCTYPE article [<!ENTITY x 'y'>" + GOOD, "cannot be read"),
        (GOOD.replace(b"<p>a", b"<p>&nosuch;"), "entity &nosuch;"),
        (GOOD.replace(b"<p>a", b"<p>" + b"<bold>" * 100_000 + b"a" + b"</bold>" * 100_000), "nested too deep"),
        (GOOD.replace(b"<p>a", b"<p>" + b"a" * 11_000_000), "too long"),
        (b"\xff\xfe<", "encoding it names"),
    ],
    ids=range(19),
)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason(data, words):
    assert words in refusal_of(data)


def test_a_file_of_500_mb_is_refused_without_being_read(tmp_path):
    path = tmp_path / "big.xml"
    with path.open("wb") as out:
        out.truncate(500_000_000)
    (package,) = open_packages(path)
    with pytest.raises(ImportRefused, match="500 MB"):
        read_article(package)


def test_an_external_subset_is_never_fetched_and_a_declared_entity_never_read(tmp_path):
    secret = tmp_path / "secret.dtd"
    secret.write_text("<!ENTITY nbsp 'SECRET'>")
    xml = f'<!DOCTYPE article SYSTEM "file://{secret}" [<!ENTITY nbsp "SECRET">]>'.encode() + GOOD.replace(
        b"<p>a", b"<p>a&nbsp;b"
    )
    (package,) = open_upload("a.xml", xml)
    assert not any("SECRET" in part.text for part in read_article(package).report.parts)


def test_latin_1_and_utf_16_are_read_when_they_are_what_they_say():
    for encoding in ("iso-8859-1", "windows-1252", "utf-16"):
        xml = f'<?xml version="1.0" encoding="{encoding}"?>' + GOOD.decode().replace("<p>a", "<p>é")
        (package,) = open_upload("a.xml", xml.encode(encoding))
        assert any("é" in part.text for part in read_article(package).report.parts)


def tar_with(member: tarfile.TarInfo, data: bytes = b"") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
        good = tarfile.TarInfo("a.nxml")
        good.size = len(GOOD)
        archive.addfile(good, io.BytesIO(GOOD))
    return out.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def zip_with(name: str, data: bytes = b"x", mode: int = 0) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, data)
        archive.writestr("a.nxml", GOOD)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (tar_with(member("../../evil.xml"), b"x"), "path leaves the archive"),
        (tar_with(member("/etc/cron.d/x"), b"x"), "path leaves the archive"),
        (tar_with(member("pic.jpg", tarfile.SYMTYPE, "/etc/passwd")), "holds a link"),
        (tar_with(member("pic.jpg", tarfile.LNKTYPE, "a.nxml")), "holds a link"),
        (tar_with(member("dev", tarfile.CHRTYPE)), "device or pipe"),
        (zip_with("../evil.xml"), "path leaves the archive"),
        (zip_with("..\\evil.xml"), "path leaves the archive"),
        (zip_with("C:\\evil.xml"), "path leaves the archive"),
        (zip_with("pic.jpg", b"/etc/passwd", 0o120777), "holds a link"),
        (tar_gz({"a.nxml": GOOD})[:-20], "cut off or damaged"),
        (tar_gz({"a.nxml": GOOD, "b.pdf": os.urandom(50_000)})[:20_000], "cut off or damaged"),
        (zipped({"a.nxml": GOOD})[:-30], "cut off or damaged"),
        (zipped({"b.txt": b"hello"}), "holds no XML"),
        (tar_gz({}), "holds no XML"),
        (b"PK\x03\x04 and nothing else", "cut off or damaged"),
        (b"\x1f\x8b and nothing else", "cut off or damaged"),
        (zipped({"a.xml": b"\0" * 200_000_000}), "decompression bomb"),
        (tar_gz({"a.avi": b"\0" * 200_000_000, "a.nxml": GOOD}), "decompression bomb"),
        (gzip.compress(b"<article>" + b" " * 200_000_000), "decompression bomb"),
    ],
    ids=range(19),
)  # fmt: skip
def test_an_unsafe_or_broken_archive_is_refused_whole(data, words):
    assert words in refusal_of(data, "PMC1.tar.gz")


def test_an_uncompressed_tar_that_ends_inside_a_member_is_refused():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in {"a.nxml": GOOD, "b.pdf": b"x" * 100_000}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    assert "cut off or damaged" in refusal_of(out.getvalue()[:50_000], "a.tar")


def test_a_zip_with_a_wrong_checksum_is_refused():
    data = bytearray(zipped({"a.nxml": GOOD}))
    at = data.find(b"PK\x01\x02") + 16
    data[at] ^= 0xFF
    start = data.find(b"PK\x03\x04") + 14
    data[start] ^= 0xFF
    assert "cut off or damaged" in refusal_of(bytes(data), "a.zip")


def test_a_huge_film_in_an_archive_is_named_but_not_unpacked():
    film = os.urandom(1_000_000) * 70
    (package,) = open_upload(
        "a.zip", zipped_stored({"a.nxml": GOOD, "film.avi": film, "pic1.jpg": film, "pic2.png": picture()})
    )
    (graphic,) = read_article(package).report.figures[0].graphics
    assert graphic.image is None and "larger than" in graphic.problem


def zipped_stored(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def survives(data: bytes, name: str = "a.xml") -> None:
    """Read an upload; ImportRefused is the only error it may give."""
    try:
        for package in open_upload(name, data):
            report = read_article(package).report
            assert report.body_chars == report.kept_chars + sum(one.chars for one in report.set_aside)
    except ImportRefused:
        pass


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data):
    survives(data)
    survives(GOOD[:200] + data + GOOD[200:])


TAGS = st.sampled_from(
    "p sec title label xref sup sub fig fig-group caption graphic table-wrap table tr td list list-item def-list def-item term def "
    "boxed-text media supplementary-material alternatives disp-formula tex-math math msup break fn fn-group disp-quote body bold".split()
)
TEXTS = st.text(alphabet="ab 1([)]–,.\u00a0\u200b&<\"'", max_size=6)


def element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, kind, inner, tail: f'<{tag} ref-type="{kind}" rid="f1" id="f1" rowspan="2">{"".join(inner)}</{tag}>{tail}',
        TAGS, st.sampled_from(["bibr", "fig", "fn"]), st.lists(children, max_size=3), TEXTS.map(escaped),
    )  # fmt: skip


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.recursive(TEXTS.map(escaped), element, max_leaves=25), max_size=4))
def test_any_nesting_of_known_elements_keeps_every_character(nodes):
    body = "".join(nodes)
    try:
        (package,) = open_upload("a.xml", article(f"<p>start</p>{body}").encode())
        report = read_article(package).report
    except ImportRefused:
        return
    assert not any("accounted" in warning for warning in report.warnings)
    assert report.body_chars == report.kept_chars + sum(one.chars for one in report.set_aside)
    ids = [part.id for part in report.parts]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("tag", ["bold", "p", "sup", "sec", "list", "fig", "boxed-text", "alternatives", "table-wrap"])
def test_deep_nesting_is_read_or_refused(tag):
    survives(article(f"<p>a</p>{f'<{tag}>' * 240}x{f'</{tag}>' * 240}").encode())


def test_flipped_bytes_of_real_articles_give_nothing_but_named_errors(shared_folder: Path):
    import random
    import time

    chance = random.Random(20261130)
    files = sorted(path for path in (shared_folder / "corpus").glob("*/*") if path.suffix in (".xml", ".nxml"))
    end = time.monotonic() + float(os.environ.get("CASEROUNDS_FUZZ_S", "4"))
    while time.monotonic() < end:
        data = bytearray(chance.choice(files).read_bytes())
        for _ in range(chance.choice([1, 1, 3, 20])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        survives(bytes(data))


def test_flipped_bytes_of_archives_give_nothing_but_named_errors():
    import random

    chance = random.Random(7)
    for pack in (tar_gz, zipped):
        whole = pack({"PMC1/a.nxml": GOOD, "PMC1/pic1.jpg": picture(kind="JPEG")})
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(chance.choice([1, 2, 8])):
                data[chance.randrange(len(data))] = chance.randrange(256)
            survives(bytes(data), "a.zip")
