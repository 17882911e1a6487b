"""Pixels as they are sent: re-encoded without metadata, upright, never upscaled, within the provider's limits."""

import hashlib
import io
from functools import lru_cache

from PIL import Image, ImageOps, UnidentifiedImageError
from pydantic import Field

from core.domain.model_call import OutgoingImage
from core.domain.record import Record
from core.errors import InvalidInput

_JPEG_QUALITY = 95
_SMALLEST_PX = 64


class ImageLimits(Record):
    """What a provider takes. The defaults keep to the narrowest of the known ones (llm.md section 1)."""

    max_side_px: int = Field(default=8000, gt=0, description="longest side of an image")
    many: int = Field(default=20, gt=0, description="above this number of images in a request `max_side_many_px` holds")
    max_side_many_px: int = Field(default=2000, gt=0)
    max_bytes: int = Field(default=3_700_000, gt=0, description="encoded file; base64 makes 5 MB of it")


DEFAULT_LIMITS = ImageLimits()


def encode_image(data: bytes, number: int, total: int, limits: ImageLimits = DEFAULT_LIMITS) -> OutgoingImage:
    """Give an image as it is sent, under the name `image-<number>.png` (or `.jpg`).

    The pixels are decoded, turned upright, set on white where transparent, and encoded anew, so that no metadata, no
    file name and no thumbnail goes along. PNG keeps every pixel; when it is too many bytes a JPEG is tried, and then a
    smaller size. The same bytes give the same result.

    Args:
        data: the stored image file (PNG, JPEG, GIF, WebP, TIFF; of several pictures the first).
        number: place in the conversation, from 1.
        total: images in the whole conversation; above `limits.many` the smaller size holds.
        limits: of the provider.

    Raises:
        InvalidInput: the bytes are no image that can be decoded.
    """
    max_side = limits.max_side_px if total <= limits.many else min(limits.max_side_px, limits.max_side_many_px)
    made = _encoded(data, max_side, limits.max_bytes)
    suffix = "png" if made.media_type == "image/png" else "jpg"
    return made.model_copy(update={"name": f"image-{number}.{suffix}"})


# Encoding takes a tenth of a second; every model and repeat of a run is shown the same few images of a case.
@lru_cache(maxsize=48)
def _encoded(data: bytes, max_side: int, max_bytes: int) -> OutgoingImage:
    picture = _upright(data)
    width = picture.width
    picture = _within(picture, max_side)
    encoded, media_type = _encode(picture, max_bytes)
    while len(encoded) > max_bytes and max(picture.size) > _SMALLEST_PX:
        picture = _within(picture, int(max(picture.size) * 0.8))
        encoded, media_type = _encode(picture, max_bytes)
    return OutgoingImage(
        name="image",
        media_type=media_type,
        data=encoded,
        sha256=hashlib.sha256(encoded).hexdigest(),
        original_sha256=hashlib.sha256(data).hexdigest(),
        width_px=picture.width,
        height_px=picture.height,
        scale=picture.width / width,
    )


def _upright(data: bytes) -> Image.Image:
    try:
        with Image.open(io.BytesIO(data)) as opened:
            opened.load()
            picture = ImageOps.exif_transpose(opened)
            return _plain(picture if picture is not None else opened.copy())
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InvalidInput("An image cannot be decoded.", "Attach the figure again as PNG or JPEG.") from error


def _plain(picture: Image.Image) -> Image.Image:
    """Give 8-bit grey or RGB pixels and nothing else."""
    if picture.mode == "1":
        return picture.convert("L")
    if picture.mode.startswith("I") or picture.mode == "F":
        return _eight_bit(picture)
    if picture.mode == "L" and "transparency" not in picture.info:
        return Image.frombytes("L", picture.size, picture.tobytes())
    if picture.mode in ("P", "PA", "LA", "RGBA", "La", "RGBa") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        ground = Image.new("RGBA", layer.size, (255, 255, 255, 255))
        picture = Image.alpha_composite(ground, layer)
    return Image.frombytes("RGB", picture.size, picture.convert("RGB").tobytes())


def _eight_bit(picture: Image.Image) -> Image.Image:
    """Give deep pixels spread over 0-255 from their lowest to their highest value, as a viewer would window them."""
    deep = picture.convert("F")
    low, high = deep.getextrema()
    scale = 255.0 / (high - low) if high > low else 0.0
    return deep.point(lambda value: value * scale - low * scale).convert("L")


def _within(picture: Image.Image, max_side: int) -> Image.Image:
    longest = max(picture.size)
    if longest <= max_side:
        return picture
    factor = max_side / longest
    size = (max(1, int(picture.width * factor)), max(1, int(picture.height * factor)))
    return picture.resize(size, Image.Resampling.LANCZOS)


def _encode(picture: Image.Image, max_bytes: int) -> tuple[bytes, str]:
    png = io.BytesIO()
    picture.save(png, "PNG")
    if png.tell() <= max_bytes:
        return png.getvalue(), "image/png"
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG", quality=_JPEG_QUALITY, subsampling=0)
    return jpeg.getvalue(), "image/jpeg"
