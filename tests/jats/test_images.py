import io

import pytest
from PIL import Image

from core.jats.images import PIXEL_LIMIT, check_image
from tests.jats.making import picture


def shown(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


@pytest.mark.parametrize(
    ("kind", "mode", "media_type"),
    [("PNG", "RGB", "image/png"), ("PNG", "P", "image/png"), ("PNG", "RGBA", "image/png"), ("JPEG", "RGB", "image/jpeg"),
     ("JPEG", "L", "image/jpeg"), ("GIF", "P", "image/gif"), ("WEBP", "RGB", "image/webp")],
)  # fmt: skip
def test_what_a_browser_shows_stays_byte_for_byte(kind, mode, media_type):
    data = picture(kind=kind, mode=mode)
    checked = check_image(data)
    assert checked.data == data and checked.ref.media_type == media_type
    assert (checked.ref.width_px, checked.ref.height_px, checked.ref.size_bytes, checked.ref.notes) == (
        300,
        200,
        len(data),
        (),
    )


@pytest.mark.parametrize(
    ("kind", "mode", "options", "note", "media_type"),
    [
        ("TIFF", "RGB", {"compression": "tiff_lzw"}, "converted from TIFF", "image/png"),
        ("TIFF", "P", {}, "converted from TIFF", "image/png"),
        ("TIFF", "CMYK", {}, "converted from CMYK", "image/png"),
        ("TIFF", "1", {}, "converted from TIFF", "image/png"),
        ("BMP", "RGB", {}, "converted from BMP", "image/png"),
        ("JPEG", "CMYK", {}, "converted from CMYK", "image/jpeg"),
        ("PNG", "I;16", {}, "converted from 16-bit grey", "image/png"),
    ],
)
def test_what_a_browser_does_not_show_is_converted_and_said(kind, mode, options, note, media_type):
    checked = check_image(picture(kind=kind, mode=mode, **options))
    assert checked.ref.media_type == media_type and note in checked.ref.notes
    image = shown(checked.data)
    assert image.size == (300, 200) and image.mode in ("RGB", "L", "1", "RGBA")


def test_sixteen_bit_grey_keeps_its_range_of_light():
    image = Image.new("I;16", (2, 1))
    image.putpixel((0, 0), 1000)
    image.putpixel((1, 0), 3000)
    out = io.BytesIO()
    image.save(out, "PNG")
    result = shown(check_image(out.getvalue()).data)
    assert (result.getpixel((0, 0)), result.getpixel((1, 0))) == (0, 255)


def test_a_picture_turned_by_exif_is_turned_for_good():
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    Image.new("RGB", (300, 200)).save(out, "JPEG", exif=exif)
    checked = check_image(out.getvalue())
    assert (checked.ref.width_px, checked.ref.height_px) == (200, 300)
    assert checked.ref.notes == ("turned as its EXIF orientation says",)
    assert shown(checked.data).getexif().get(0x0112, 1) == 1


@pytest.mark.parametrize(
    ("kind", "note"), [("GIF", "first frame of 3"), ("TIFF", "first page of 3"), ("WEBP", "first frame of 3")]
)
def test_of_several_frames_or_pages_the_first_is_kept_and_said(kind, note):
    frames = [Image.new("RGB", (20, 10), color) for color in ("red", "green", "blue")]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    checked = check_image(out.getvalue())
    assert note in checked.ref.notes and checked.ref.media_type == "image/png"
    red, green, blue = shown(checked.data).convert("RGB").getpixel((5, 5))
    assert red > 200 and green < 60 and blue < 60


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "empty file"),
        (b"not a picture at all", "no known image format"),
        (b"%PDF-1.4 ...", "a PDF file"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG drawing"),
        (b"<!DOCTYPE html><html></html>", "a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (picture(kind="JPEG", size=(400, 400))[:600], "damaged"),
        (picture(kind="PNG")[:60], "damaged"),
    ],
)
def test_what_is_no_picture_is_named(data, problem):
    checked = check_image(data)
    assert checked.ref is None and checked.data == b"" and problem in checked.problem


def test_a_pixel_bomb_is_refused_before_it_is_decoded():
    side = int(PIXEL_LIMIT**0.5) + 10
    out = io.BytesIO()
    Image.new("1", (side, side)).save(out, "PNG")
    assert len(out.getvalue()) < 100_000
    assert "million pixels" in check_image(out.getvalue()).problem


def test_a_file_is_told_by_its_content_and_not_by_its_name():
    from tests.jats.making import article, fig, read_with

    xml = article(f"<sec><title>Case</title><p>a</p>{fig(1, 'pic1.jpg')}</sec>")
    read = read_with(xml, {"pic1.jpg": picture(kind="PNG")})
    assert read.report.figures[0].graphics[0].image.media_type == "image/png"
    assert list(read.images) == [read.report.figures[0].graphics[0].image.sha256]
