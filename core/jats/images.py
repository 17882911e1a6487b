"""Figure files checked by their content and, where a browser could not show them, converted."""

import hashlib
import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from core.domain.article import ImageRef

IMAGE_LIMIT_BYTES = 64 * 1024 * 1024
"""Largest image file that is opened."""
PIXEL_LIMIT = 100_000_000
"""Largest number of pixels that is decoded; a journal's full page at 1,200 dpi has about this many."""
THUMBNAIL_PX = 200
"""A legacy package's .gif renditions are about 100 px wide; smaller than this, a lone .gif is a thumbnail."""

_VIEWABLE = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WEBP": "image/webp"}
_ALLOWED = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP", "JPEG2000", "PPM")
_PLAIN_MODES = {"1", "L", "LA", "P", "PA", "RGB", "RGBA"}
_ORIENTATION = 0x0112


@dataclass(frozen=True)
class CheckedImage:
    """An image ready for a browser, or the reason why there is none.

    Attributes:
        ref: its record; None when there is a problem.
        data: its bytes, the original's unless `ref.notes` say otherwise; empty when there is a problem.
        problem: one of a few short phrases; empty when there is an image.
    """

    ref: ImageRef | None
    data: bytes
    problem: str = ""


def check_image(data: bytes) -> CheckedImage:
    """Decode an image file whole and give it in a form a browser shows.

    The format is told by the content, never by the name. PNG, JPEG, GIF and WebP in 8 bits stay byte for byte;
    TIFF, BMP, CMYK, 16-bit, rotated (EXIF), animated and multi-page files are converted (first page or frame) to PNG,
    or to JPEG where the source was one.
    """
    if not data:
        return _refused("empty file")
    if len(data) > IMAGE_LIMIT_BYTES:
        return _refused(f"larger than {IMAGE_LIMIT_BYTES // (1024 * 1024)} MB")
    kind = _other_kind(data)
    if kind:
        return _refused(f"{kind}, not a picture")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_ALLOWED) as image:
                if image.width * image.height > PIXEL_LIMIT:
                    return _refused(f"more than {PIXEL_LIMIT // 1_000_000} million pixels")
                return _checked(image, data)
    except UnidentifiedImageError:
        return _refused("not decodable: no known image format")
    except Image.DecompressionBombError:
        return _refused(f"more than {PIXEL_LIMIT // 1_000_000} million pixels")
    except (
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        KeyError,
        TypeError,
        OverflowError,
        MemoryError,
    ) as error:
        # Pillow's decoders raise all of these on damaged files.
        return _refused(
            "not decodable: the file is damaged" if not isinstance(error, MemoryError) else "too large to decode"
        )


def _checked(image: Image.Image, data: bytes) -> CheckedImage:
    frames = getattr(image, "n_frames", 1)
    source = image.format or ""
    image.load()
    orientation = image.getexif().get(_ORIENTATION, 1)
    notes: list[str] = []
    if source not in _VIEWABLE:
        notes.append(f"converted from {'JPEG' if source == 'MPO' else source}")
    if frames > 1 and source != "MPO":
        notes.append(f"first {'page' if source == 'TIFF' else 'frame'} of {frames}")
    if orientation not in (0, 1):
        notes.append("turned as its EXIF orientation says")
    if image.mode not in _PLAIN_MODES:
        notes.append(f"converted from {_mode_name(image.mode)}")
    if not notes:
        return _with_ref(data, _VIEWABLE[source], image.size, ())
    shown = ImageOps.exif_transpose(image) if orientation not in (0, 1) else image
    shown = _eight_bit_rgb(shown)
    out = io.BytesIO()
    if source in ("JPEG", "MPO") and shown.mode in ("L", "RGB"):
        shown.save(out, "JPEG", quality=95, subsampling=0)
        media_type = "image/jpeg"
    else:
        shown.save(out, "PNG")
        media_type = "image/png"
    return _with_ref(out.getvalue(), media_type, shown.size, tuple(notes))


def _eight_bit_rgb(image: Image.Image) -> Image.Image:
    mode = image.mode
    if mode in ("I;16", "I;16B", "I;16L", "I", "F"):
        return _scaled_grey(image)
    if mode == "CMYK":
        return image.convert("RGB")
    if mode in ("P", "PA"):
        return image.convert("RGBA" if "transparency" in image.info or mode == "PA" else "RGB")
    if mode in ("1", "L", "LA", "RGB", "RGBA"):
        return image
    return image.convert("RGB")


def _scaled_grey(image: Image.Image) -> Image.Image:
    """Map 12-, 16- and 32-bit grey to 8 bits, the darkest value to black and the lightest to white."""
    wide = image.convert("F")
    low, high = wide.getextrema()
    if not isinstance(low, float) or not isinstance(high, float) or high <= low:
        return Image.new("L", image.size, 0)
    scale = 255.0 / (high - low)
    return wide.point(lambda value: value * scale + (-low * scale)).convert("L")


def _mode_name(mode: str) -> str:
    if mode.startswith("I"):
        return "16-bit grey" if ";" in mode else "32-bit grey"
    return {"F": "floating-point grey", "YCbCr": "YCbCr colour", "LAB": "Lab colour"}.get(mode, mode)


def _with_ref(data: bytes, media_type: str, size: tuple[int, int], notes: tuple[str, ...]) -> CheckedImage:
    ref = ImageRef(
        sha256=hashlib.sha256(data).hexdigest(),
        media_type=media_type,
        width_px=size[0],
        height_px=size[1],
        size_bytes=len(data),
        notes=notes,
    )
    return CheckedImage(ref, data)


def _refused(problem: str) -> CheckedImage:
    return CheckedImage(None, b"", problem)


def _other_kind(data: bytes) -> str:
    head = data[:512].lstrip()
    if head.startswith(b"%PDF"):
        return "a PDF file"
    if head.startswith(b"%!PS") or head.startswith(b"\xc5\xd0\xd3\xc6"):
        return "a PostScript file"
    if b"<svg" in head:
        return "an SVG drawing"
    if head.startswith((b"<!DOCTYPE html", b"<html", b"<!doctype html")):
        return "a web page"
    if head.startswith(b"version https://git-lfs"):
        return "a Git LFS pointer"
    return ""
