"""What the drawings share: float images, smooth noise, soft shapes.

An image is a float array, height x width x 3 (or height x width for grey), values 0-1. Every random choice comes from
a generator made from a fixed seed, so that the same code always gives the same picture.
"""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont


def generator(seed: int) -> np.random.Generator:
    """Give a random generator that always starts the same for a seed."""
    return np.random.Generator(np.random.PCG64(seed))


def grid(height: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the pixel coordinates y and x, each height x width, in px."""
    y, x = np.mgrid[0:height, 0:width].astype(float)
    return y, x


def noise(rng: np.random.Generator, height: int, width: int, cell_px: float, octaves: int = 3) -> np.ndarray:
    """Give smooth noise, height x width, mean about 0 and standard deviation 1.

    Args:
        rng: the generator.
        height: in px.
        width: in px.
        cell_px: size of the coarsest blobs; each further octave halves size and strength.
        octaves: how many sizes are summed.
    """
    total = np.zeros((height, width))
    for octave in range(octaves):
        cell = max(cell_px / 2**octave, 1.0)
        rows, columns = int(np.ceil(height / cell)) + 3, int(np.ceil(width / cell)) + 3
        coarse = rng.normal(size=(rows, columns)).astype(np.float32)
        total += resize(coarse, height, width) / 2**octave
    return (total - total.mean()) / (total.std() + 1e-9)


def resize(values: np.ndarray, height: int, width: int) -> np.ndarray:
    """Give a float array resampled to height x width with bicubic interpolation."""
    picture = Image.fromarray(values.astype(np.float32))
    return np.asarray(picture.resize((width, height), Image.Resampling.BICUBIC), dtype=float)


def blur(values: np.ndarray, radius_px: float) -> np.ndarray:
    """Give the image blurred: three box averages along each axis, close to a Gaussian of that radius."""
    half = max(round(radius_px), 1)
    out = values.astype(float)
    for _ in range(3):
        for axis in (0, 1):
            padding = [(0, 0)] * out.ndim
            padding[axis] = (half + 1, half)
            sums = np.cumsum(np.pad(out, padding, mode="edge"), axis=axis)
            length = sums.shape[axis]
            upper = np.take(sums, range(2 * half + 1, length), axis=axis)
            lower = np.take(sums, range(0, length - 2 * half - 1), axis=axis)
            out = (upper - lower) / (2 * half + 1)
    return out


def edge(distance: np.ndarray, softness_px: float) -> np.ndarray:
    """Give 1 where a signed distance is negative (inside), 0 outside, with a soft step between."""
    return 1.0 / (1.0 + np.exp(np.clip(distance / max(softness_px, 1e-6), -40, 40)))


def ellipse(
    y: np.ndarray, x: np.ndarray, centre: tuple[float, float], radii: tuple[float, float], turn: float = 0.0
) -> np.ndarray:
    """Give the normalised radius from an ellipse (centre and radii as y, x; `turn` in radians): 1 on its edge."""
    dy, dx = y - centre[0], x - centre[1]
    along = dx * np.cos(turn) + dy * np.sin(turn)
    across = -dx * np.sin(turn) + dy * np.cos(turn)
    return np.hypot(along / radii[1], across / radii[0])


def mask_of_polygon(height: int, width: int, points: list[tuple[float, float]], soft_px: float = 2.0) -> np.ndarray:
    """Give a soft mask, height x width, of a polygon with points (x, y) in px."""
    picture = Image.new("L", (width, height), 0)
    ImageDraw.Draw(picture).polygon(points, fill=255)
    return np.asarray(picture.filter(ImageFilter.GaussianBlur(soft_px)), dtype=float) / 255


def mix(base: np.ndarray, colour: tuple[float, float, float], mask: np.ndarray) -> np.ndarray:
    """Give the colour image with `colour` (0-1) laid over it where `mask` (0-1) says so."""
    return base * (1 - mask[..., None]) + np.asarray(colour) * mask[..., None]


def to_picture(values: np.ndarray) -> Image.Image:
    """Give a picture from a float image; a grey one stays grey."""
    return Image.fromarray(np.round(np.clip(values, 0, 1) * 255).astype(np.uint8))


def with_letter(picture: Image.Image, letter: str) -> Image.Image:
    """Give the picture with a panel letter, black on white, in its upper left corner."""
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 43, 45), fill="white")
    draw.text((11, 2), letter, fill="black", font=ImageFont.load_default(34))
    return picture


def side_by_side(left: Image.Image, right: Image.Image, gap_px: int = 8, colour: str = "white") -> Image.Image:
    """Give two pictures of equal height next to each other."""
    joined = Image.new("RGB", (left.width + gap_px + right.width, left.height), colour)
    joined.paste(left, (0, 0))
    joined.paste(right, (left.width + gap_px, 0))
    return joined
