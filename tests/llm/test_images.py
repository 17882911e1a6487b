import hashlib
import io

import pytest
from PIL import Image

from core.errors import InvalidInput
from core.llm.images import ImageLimits, encode_image


def saved(picture: Image.Image, kind: str, **options) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return buffer.getvalue()


def opened(image) -> Image.Image:
    return Image.open(io.BytesIO(image.data))


def two_halves(mode: str = "RGB") -> Image.Image:
    picture = Image.new("RGB", (40, 20), (255, 0, 0))
    picture.paste((0, 0, 255), (20, 0, 40, 20))
    return picture.convert(mode)


def test_pixels_survive_and_the_name_is_neutral() -> None:
    data = saved(two_halves(), "PNG")
    image = encode_image(data, 3, 5)
    assert (image.name, image.media_type, image.scale) == ("image-3.png", "image/png", 1.0)
    assert opened(image).tobytes() == two_halves().tobytes()
    assert image.original_sha256 == hashlib.sha256(data).hexdigest()
    assert image.sha256 == hashlib.sha256(image.data).hexdigest()


def test_no_metadata_goes_along() -> None:
    exif = Image.Exif()
    exif[0x010E] = "Secretword diagnosis"
    exif[0x9286] = "Secretword comment"
    from PIL.PngImagePlugin import PngInfo

    text = PngInfo()
    text.add_text("Title", "Secretword")
    sources = [
        saved(two_halves(), "JPEG", exif=exif, comment=b"Secretword", icc_profile=b"Secretword"),
        saved(two_halves(), "PNG", exif=exif, pnginfo=text),
        saved(two_halves("L"), "PNG", pnginfo=text, icc_profile=b"Secretword"),
        saved(two_halves("P"), "GIF", comment=b"Secretword"),
        saved(two_halves(), "TIFF", description="Secretword"),
    ]
    for data in sources:
        image = encode_image(data, 1, 1)
        assert b"Secretword" not in image.data
        assert not opened(image).info
        assert not opened(image).getexif()


def test_orientation_is_applied() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by 90 degrees: 40 x 20 is to be seen as 20 x 40
    image = encode_image(saved(two_halves(), "PNG", exif=exif), 1, 1)
    assert (image.width_px, image.height_px) == (20, 40)
    assert opened(image).getpixel((10, 2))[:3] == (255, 0, 0)


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA", "LA", "1", "CMYK"])
def test_every_mode_becomes_grey_or_colour(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    image = encode_image(saved(two_halves(mode), kind), 1, 1)
    assert opened(image).mode in ("L", "RGB")
    assert opened(image).size == (40, 20)


def test_transparent_pixels_are_shown_on_white() -> None:
    image = encode_image(saved(Image.new("RGBA", (4, 4), (0, 0, 0, 0)), "PNG"), 1, 1)
    assert opened(image).getpixel((0, 0)) == (255, 255, 255)


def test_sixteen_bits_keep_their_contrast() -> None:
    deep = Image.new("I;16", (3, 1))
    for place, value in enumerate((1000, 2000, 3000)):
        deep.putpixel((place, 0), value)
    image = encode_image(saved(deep, "PNG"), 1, 1)
    # (value - 1000) x 255 / 2000
    assert [opened(image).getpixel((place, 0)) for place in range(3)] == [0, 127, 255]


def test_a_flat_deep_image_does_not_divide_by_zero() -> None:
    image = encode_image(saved(Image.new("I;16", (3, 1), 700), "PNG"), 1, 1)
    assert opened(image).getextrema() == (0, 0)


def test_of_several_pictures_the_first_is_sent() -> None:
    frames = [Image.new("RGB", (4, 4), colour) for colour in ((255, 0, 0), (0, 255, 0))]
    for kind in ("GIF", "TIFF"):
        image = encode_image(saved(frames[0], kind, save_all=True, append_images=frames[1:]), 1, 1)
        assert opened(image).getpixel((0, 0))[:3] == (255, 0, 0)


def test_a_small_image_is_never_made_larger() -> None:
    image = encode_image(saved(two_halves(), "PNG"), 1, 1, ImageLimits(max_side_px=8000))
    assert (image.width_px, image.scale) == (40, 1.0)


def test_a_side_that_is_too_long_is_scaled_down_and_the_factor_kept() -> None:
    data = saved(Image.new("L", (1000, 500), 9), "PNG")
    image = encode_image(data, 1, 1, ImageLimits(max_side_px=250))
    assert (image.width_px, image.height_px, image.scale) == (250, 125, 0.25)


def test_many_images_have_a_smaller_limit() -> None:
    data = saved(Image.new("L", (1000, 500), 9), "PNG")
    limits = ImageLimits(max_side_px=900, many=20, max_side_many_px=200)
    assert encode_image(data, 1, 20, limits).width_px == 900
    assert encode_image(data, 1, 21, limits).width_px == 200


def test_too_many_bytes_become_a_jpeg_before_pixels_are_given_up() -> None:
    noise = Image.effect_noise((400, 400), 60)
    png = len(saved(noise, "PNG"))
    image = encode_image(saved(noise, "PNG"), 2, 2, ImageLimits(max_bytes=png - 1000))
    assert (image.name, image.scale) == ("image-2.jpg", 1.0)
    smaller = encode_image(saved(noise, "PNG"), 2, 2, ImageLimits(max_bytes=20_000))
    assert smaller.scale < 1
    assert len(smaller.data) <= 20_000


def test_the_same_bytes_give_the_same_image() -> None:
    data = saved(two_halves(), "JPEG")
    assert encode_image(data, 1, 1) == encode_image(data, 1, 1)


@pytest.mark.parametrize("data", [b"", b"no image", saved(two_halves(), "PNG")[:60]])
def test_bytes_that_are_no_image_are_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="cannot be decoded"):
        encode_image(data, 1, 1)
