"""Retina schematics of a right eye with a serous detachment: fundus, optical coherence tomography, angiogram.

In a picture of the right fundus the optic disc lies to the right of the macula, and nasal is to the right.
"""

import numpy as np
from PIL import Image

from drawing.canvas import blur, edge, ellipse, generator, grid, mix, noise, side_by_side, to_picture, with_letter

SIZE = 700
MACULA, DISC_SHIFT, DISC_RADIUS = (355.0, 315.0), 205.0, 42.0


def _vessels(rng: np.random.Generator, disc: tuple[float, float], towards_macula: int) -> tuple[np.ndarray, np.ndarray]:
    """Give two masks, SIZE x SIZE: arteries and veins that leave the disc in arcades around the macula."""
    masks = []
    y, x = grid(SIZE, SIZE)
    for widening in (0.0, 0.16):
        mask = np.zeros((SIZE, SIZE))
        for direction in (-1, 1):
            for temporal in (True, False):
                branches = [(disc[1], disc[0], 0.0, 1.0, 210)]
                while branches:
                    px, py, along, width, steps = branches.pop()
                    for step in range(steps):
                        along += 0.0037
                        side = towards_macula if temporal else -towards_macula
                        bow = (1.25 + widening) * np.exp(-2.3 * along) if temporal else 0.75 * np.exp(-1.2 * along)
                        heading = direction * (bow + 0.07 * np.sin(9 * along + 5 * widening))
                        px += side * 2.2 * np.cos(heading)
                        py += 2.2 * np.sin(heading)
                        thick = (3.2 + 5 * widening) * width * (1 - 0.55 * step / 240)
                        if not (0 <= px < SIZE and 0 <= py < SIZE):
                            break
                        top, left = max(int(py) - 12, 0), max(int(px) - 12, 0)
                        window = np.s_[top : int(py) + 13, left : int(px) + 13]
                        spot = edge(np.hypot(y[window] - py, x[window] - px) - thick, 0.8)
                        mask[window] = np.maximum(mask[window], spot)
                        if width > 0.5 and step > 25 and rng.random() < 0.014:
                            branches.append((px, py, along + rng.uniform(-0.25, 0.6), width * 0.55, steps - step))
        masks.append(mask)
    return masks[0], masks[1]


def _fundus(seed: int, is_right: bool, has_detachment: bool) -> Image.Image:
    rng = generator(seed)
    y, x = grid(SIZE, SIZE)
    side = 1 if is_right else -1
    macula = (MACULA[0], MACULA[1] if is_right else SIZE - MACULA[1])
    disc = (macula[0] - 14, macula[1] + side * DISC_SHIFT)
    from_macula = np.hypot(y - macula[0], x - macula[1])
    picture = np.ones((SIZE, SIZE, 3)) * np.array([0.80, 0.36, 0.15])
    picture += 0.022 * noise(rng, SIZE, SIZE, 90, 4)[..., None] * np.array([1, 0.9, 0.5])
    picture = mix(picture, (0.52, 0.18, 0.08), 0.62 * np.exp(-((from_macula / 66) ** 2)))
    arteries, veins = _vessels(rng, disc, -side)
    picture = mix(picture, (0.44, 0.07, 0.06), 0.85 * veins)
    picture = mix(picture, (0.66, 0.14, 0.08), 0.85 * arteries)
    disc_radius = ellipse(y, x, disc, (DISC_RADIUS + 3, DISC_RADIUS - 2))
    picture = mix(picture, (0.97, 0.80, 0.50), 0.9 * edge((disc_radius - 1) * 40, 2.5))
    picture = mix(picture, (1.0, 0.93, 0.74), 0.9 * edge((disc_radius - 0.45) * 40, 4))
    near_disc = edge((disc_radius - 1) * 40, 2)
    picture = mix(picture, (0.50, 0.08, 0.06), 0.7 * veins * near_disc)
    if has_detachment:
        blister = ellipse(y, x, (macula[0] + 4, macula[1]), (2 * DISC_RADIUS, 2 * DISC_RADIUS * 0.98))
        inside = edge((blister - 1) * 84, 3)
        picture = mix(picture, (0.80, 0.44, 0.24), 0.52 * inside)
        picture = mix(picture, (0.99, 0.74, 0.48), 0.62 * np.exp(-0.5 * ((blister - 1.0) / 0.055) ** 2))
        shadow = np.exp(-0.5 * ((blister - 0.86) / 0.07) ** 2) * (x > macula[1])
        picture = mix(picture, (0.48, 0.18, 0.09), 0.38 * blur(shadow, 4))
        light = ellipse(y, x, (macula[0] - 36, macula[1] - 34), (26, 34), -0.7)
        picture = mix(picture, (0.98, 0.80, 0.60), 0.40 * np.exp(-(light**2)))
    else:
        picture = mix(
            picture, (1.0, 0.88, 0.66), 0.8 * np.exp(-((np.hypot(y - macula[0] + 2, x - macula[1]) / 5) ** 2))
        )
        ring = np.exp(-0.5 * ((from_macula - 58) / 5) ** 2) * (0.6 + 0.4 * np.sin(np.arctan2(y - macula[0], x) * 3))
        picture = mix(picture, (0.95, 0.62, 0.36), 0.22 * ring)
    from_centre = np.hypot(y - SIZE / 2, x - SIZE / 2)
    picture *= (1.08 - 0.42 * (from_centre / 340) ** 2)[..., None]
    picture += rng.normal(scale=0.008, size=picture.shape)
    return to_picture(picture * edge(from_centre - 335, 2)[..., None])


def fundus_of_both_eyes() -> Image.Image:
    """Give panel A (right eye: round elevation at the macula, disc to the right) and panel B (normal left eye)."""
    right = with_letter(_fundus(401, is_right=True, has_detachment=True), "A")
    return side_by_side(right, with_letter(_fundus(402, is_right=False, has_detachment=False), "B"))


def _oct(seed: int, dome_px: float, pigment_px: float) -> Image.Image:
    """Give a horizontal scan; `dome_px` is the height of the subretinal fluid, `pigment_px` of the epithelial bump."""
    height, width = 560, 1200
    rng = generator(seed)
    y, x = grid(height, width)
    columns = np.arange(width)
    base = 345 + 0.000045 * (columns - 600) ** 2
    bump = pigment_px * np.exp(-(((columns - 735) / 34.0) ** 4))
    dome = dome_px * np.clip(1 - ((columns - 585) / 300.0) ** 2, 0, None) ** 1.15
    pigment = base - bump
    retina_floor = pigment - np.maximum(dome - bump, 0)
    pit = 62 * np.exp(-(((columns - 585) / 62.0) ** 2))
    if dome_px:
        pit = pit * 0.55
    thickness = 112 + 20 * np.exp(-(((np.abs(columns - 585) - 150) / 90.0) ** 2)) - pit
    surface = retina_floor - thickness
    depth = (y - surface) / thickness
    scan = 0.055 + 0.0 * y
    inner = 1 - pit / 80
    layers = ((0.05, 0.05, 0.80), (0.24, 0.10, 0.52), (0.37, 0.05, 0.24), (0.46, 0.05, 0.48), (0.64, 0.12, 0.20))
    for middle, half, bright in layers:
        fade = inner if middle < 0.5 else 1.0
        scan = np.maximum(scan, bright * fade * np.exp(-(np.abs((depth - middle) / half) ** 3)))
    for middle, half, bright in ((0.82, 0.022, 0.62), (0.92, 0.030, 0.86)):
        scan = np.maximum(scan, bright * np.exp(-(((depth - middle) / half) ** 2)))
    scan = np.where((y > retina_floor) & (y < pigment - 5), 0.035, scan)
    scan = np.maximum(scan, 0.97 * np.exp(-(((y - pigment - 2) / 6.0) ** 2)))
    under_bump = (y > pigment + 9) & (y < base)
    choroid_depth = (y - base) / 130
    lumina = np.clip(noise(rng, height, width, 34, 2), -2, 2)
    choroid = (0.50 - 0.16 * choroid_depth - 0.15 * (lumina > 0.45)) * edge((choroid_depth - 1) * 130, 8)
    scan = np.where(y > base + 6, np.maximum(scan, choroid), scan)
    scan = np.where(under_bump, 0.07, scan)
    scan = np.maximum(scan, 0.33 * np.exp(-(((y - base - 132) / 6.0) ** 2)))
    scan = np.where(y > base + 140, 0.10 * np.exp(-(y - base - 140) / 70) + 0.05, scan)
    scan = np.where(y < surface - 4, 0.045, scan)
    speckle = rng.gamma(5.0, 1 / 5.0, size=scan.shape)
    return to_picture(blur(np.clip(scan * (0.45 + 0.55 * speckle), 0, 1), 1))


def oct_with_fluid() -> Image.Image:
    """Give the scan with a dome of dark fluid and a small epithelial elevation to the right of the fovea."""
    return _oct(403, dome_px=118, pigment_px=34)


def oct_after_three_months() -> Image.Image:
    """Give the scan with the retina flat and the foveal pit back."""
    return _oct(404, dome_px=0, pigment_px=0)


def _angiogram(seed: int, is_late: bool) -> Image.Image:
    rng = generator(401)
    y, x = grid(SIZE, SIZE)
    disc = (MACULA[0] - 14, MACULA[1] + DISC_SHIFT)
    arteries, veins = _vessels(rng, disc, -1)
    rng = generator(seed)
    film = 0.20 + 0.018 * noise(rng, SIZE, SIZE, 60, 4)
    film -= 0.09 * np.exp(-((np.hypot(y - MACULA[0], x - MACULA[1]) / 70) ** 2))
    film = np.maximum(film, (0.46 if is_late else 0.86) * arteries)
    film = np.maximum(film, (0.52 if is_late else 0.78) * veins)
    disc_radius = ellipse(y, x, disc, (DISC_RADIUS + 3, DISC_RADIUS - 2))
    film = np.maximum(film, (0.45 if is_late else 0.34) * edge((disc_radius - 1) * 40, 4))
    leak = (MACULA[0] - 26, MACULA[1] + 34)
    point = np.hypot(y - leak[0], x - leak[1])
    if is_late:
        above = leak[0] - y
        stem = np.exp(-0.5 * ((x - leak[1] - 0.04 * above) / (7 + 0.08 * np.abs(above))) ** 2)
        stem = stem * edge(-above - 4, 3) * edge(above - 62, 8)
        cap = np.exp(-(ellipse(y, x, (leak[0] - 56, leak[1] + 2), (13, 50), 0.0) ** 4))
        drop = np.exp(-(((above - 40) / 15.0) ** 2)) * np.exp(-(((np.abs(x - leak[1]) - 38) / 13.0) ** 2)) * 0.55
        smoke = np.maximum.reduce([stem, cap, drop, np.exp(-((point / 12) ** 2))])
        film = np.maximum(film, 0.95 * blur(smoke, 6))
        blister = ellipse(y, x, (MACULA[0] + 4, MACULA[1]), (84, 82))
        film += 0.05 * edge((blister - 1) * 84, 4)
    else:
        film = np.maximum(film, np.exp(-((point / 8) ** 2)))
    from_centre = np.hypot(y - SIZE / 2, x - SIZE / 2)
    film = film * (1.05 - 0.35 * (from_centre / 340) ** 2) + rng.normal(scale=0.015, size=film.shape)
    return to_picture(film * edge(from_centre - 335, 2))


def angiogram_early_and_late() -> Image.Image:
    """Give panel A (one bright point above and nasal to the fovea) and panel B (smoke rising from it)."""
    return side_by_side(with_letter(_angiogram(405, False), "A"), with_letter(_angiogram(406, True), "B"))
