"""Clinical photograph schematics (thigh, tongue, forearm) and an agar plate. No photograph of a person is used."""

import numpy as np
from PIL import Image

from drawing.canvas import blur, edge, ellipse, generator, grid, mask_of_polygon, mix, noise, to_picture


def _skin(rng: np.random.Generator, height: int, width: int, colour: tuple[float, float, float]) -> np.ndarray:
    """Give skin, height x width x 3: uneven tone, pores and faint creases."""
    picture = np.ones((height, width, 3)) * np.asarray(colour)
    picture += 0.020 * noise(rng, height, width, 150, 3)[..., None] * np.array([0.7, 1.0, 1.0])
    pores = np.clip(noise(rng, height, width, 7, 2) - 1.2, 0, 1)
    picture -= 0.05 * pores[..., None]
    return picture + 0.010 * noise(rng, height, width, 4, 1)[..., None]


def thigh_with_ring() -> Image.Image:
    """Give an oval red ring with pale centre and a small central point on the skin of a thigh."""
    height, width = 760, 1100
    rng = generator(601)
    y, x = grid(height, width)
    picture = _skin(rng, height, width, (0.86, 0.68, 0.57))
    wobble = 0.035 * noise(rng, height, width, 170, 2)
    spot = ellipse(y, x, (385, 560), (185, 245), 0.18) + wobble
    ring = np.exp(-0.5 * ((spot - 0.86) / 0.10) ** 2) * (spot < 0.86) + np.exp(-0.5 * ((spot - 0.86) / 0.075) ** 2) * (
        spot >= 0.86
    )
    patch = 0.75 + 0.12 * noise(rng, height, width, 60, 3)
    picture = mix(picture, (0.76, 0.27, 0.25), np.clip(0.78 * ring * patch, 0, 1))
    picture = mix(picture, (0.84, 0.54, 0.47), 0.40 * edge((spot - 0.70) * 200, 14))
    picture = mix(picture, (0.55, 0.16, 0.15), 0.85 * edge(np.hypot(y - 380, x - 556) - 7, 2))
    picture = mix(picture, (0.72, 0.30, 0.27), 0.45 * np.exp(-((np.hypot(y - 380, x - 556) / 24) ** 2)))
    outline = np.minimum(y - (28 + 0.00004 * (x - 300) ** 2), (715 + 0.00005 * (x - 700) ** 2) - y)
    roundness = np.clip(1 - np.exp(-np.clip(outline, 0, None) / 95), 0, 1)
    picture *= (0.50 + 0.56 * roundness)[..., None]
    for _ in range(170):
        px, py, turn = rng.uniform(0, width), rng.uniform(70, 690), rng.normal(loc=0.25, scale=0.35)
        near = np.s_[max(int(py) - 24, 0) : int(py) + 25, max(int(px) - 24, 0) : int(px) + 25]
        hair = ellipse(y[near], x[near], (py, px), (1.1, rng.uniform(12, 22)), turn)
        picture[near] = mix(picture[near], (0.30, 0.20, 0.14), 0.34 * edge((hair - 1) * 1.2, 0.4))
    cloth = edge(outline, 3)
    sheet = np.array([0.52, 0.66, 0.70]) + 0.03 * noise(rng, height, width, 90, 2)[..., None]
    picture = picture * (1 - cloth[..., None]) + sheet * cloth[..., None]
    return to_picture(picture)


def tongue_with_nodule() -> Image.Image:
    """Give a protruded tongue with a smooth dome on its left border, on the right-hand side of the picture."""
    height, width = 860, 1000
    rng = generator(602)
    y, x = grid(height, width)
    picture = _skin(rng, height, width, (0.83, 0.64, 0.54))
    mouth = edge((ellipse(y, x, (330, 500), (235, 370)) - 1) * 240, 5)
    lips = edge((ellipse(y, x, (330, 500), (300, 440)) - 1) * 300, 5)
    picture = mix(picture, (0.74, 0.38, 0.37), lips * 0.9)
    lip_light = np.exp(-0.5 * ((ellipse(y, x, (330, 500), (268, 404)) - 1) / 0.045) ** 2)
    picture = mix(picture, (0.86, 0.55, 0.53), 0.5 * lip_light)
    picture = mix(picture, (0.13, 0.03, 0.04), mouth)
    for index in range(-4, 4):
        at = (150 + 3.2 * (index + 0.5) ** 2, 500 + (index + 0.5) * 66)
        tooth = edge((ellipse(y, x, at, (44, 31)) ** 2 - 1) * 20, 2)
        picture = mix(picture, (0.93, 0.90, 0.82), tooth * mouth)
    half_width = 235 * np.sqrt(np.clip(1 - (np.clip(y - 330, 0, None) / 430) ** 2, 0, 1))
    from_edge = np.abs(x - 500) - half_width
    tongue = edge(np.where(y < 760, from_edge, 40), 4) * edge(235 - y, 8)
    body = np.ones((height, width, 3)) * np.array([0.83, 0.45, 0.46])
    papillae = np.clip(noise(rng, height, width, 9, 2), -1.5, 2)
    body += 0.030 * papillae[..., None] * np.array([0.8, 1.0, 1.0])
    coat = np.exp(-(((x - 500) / 150) ** 2)) * edge(y - 560, 70)
    body = mix(body, (0.88, 0.70, 0.66), 0.38 * coat)
    body *= (1.03 - 0.42 * np.exp(np.clip(from_edge, -300, 0) / 32))[..., None]
    body = mix(
        body, (0.58, 0.24, 0.27), 0.55 * np.exp(-(((x - 500 - 8 * np.sin(y / 70)) / 5) ** 2)) * edge(y - 640, 30)
    )
    picture = picture * (1 - tongue[..., None]) + body * tongue[..., None]
    centre = (520.0, 688.0)
    dome = ellipse(y, x, centre, (68, 60), 0.1)
    raised = edge((dome - 1) * 62, 3)
    shading = np.clip(1 - dome**2, 0, 1) ** 0.5
    lit = 0.80 + 0.26 * shading - 0.10 * (x - centre[1] + y - centre[0]) / 90
    nodule = np.ones((height, width, 3)) * np.array([0.86, 0.50, 0.50]) * lit[..., None]
    picture = mix(picture, (0.45, 0.16, 0.18), 0.50 * np.exp(-0.5 * ((dome - 1.04) / 0.06) ** 2))
    picture = picture * (1 - raised[..., None]) + nodule * raised[..., None]
    gleam = np.exp(-(ellipse(y, x, (494, 668), (13, 19), -0.6) ** 2))
    picture = mix(picture, (1.0, 0.92, 0.90), 0.75 * gleam)
    wet = np.clip(noise(rng, height, width, 26, 2) - 2.1, 0, 0.22) * tongue * (1 - raised)
    return to_picture(mix(picture, (1, 0.95, 0.94), np.clip(wet, 0, 1)))


def forearm_with_nodules() -> Image.Image:
    """Give the back of a right hand (left) and forearm: a crusted ulcer, then four red nodules in a line."""
    height, width = 700, 1200
    rng = generator(603)
    y, x = grid(height, width)
    picture = np.array([0.36, 0.50, 0.58]) + 0.02 * noise(rng, height, width, 110, 3)[..., None] * np.ones(3)
    arm = [(1200, 175), (1000, 190), (760, 235), (560, 262), (480, 250), (400, 225), (330, 218)]
    arm += [(200, 214), (85, 224), (60, 246), (85, 268), (200, 268), (270, 276)]
    arm += [(150, 290), (38, 300), (18, 324), (38, 346), (150, 340), (265, 338)]
    arm += [(150, 356), (48, 372), (30, 395), (52, 416), (160, 402), (272, 396)]
    arm += [(180, 424), (105, 442), (92, 464), (112, 480), (200, 466), (300, 446)]
    arm += [(350, 470), (330, 520), (310, 560), (330, 588), (362, 580), (410, 520), (470, 470)]
    arm += [(560, 446), (760, 480), (1000, 540), (1200, 560)]
    inside = mask_of_polygon(height, width, arm, soft_px=3)
    skin = _skin(rng, height, width, (0.85, 0.67, 0.56))
    depth = blur(inside, 24)
    skin *= (0.48 + 0.56 * np.clip((depth - 0.35) / 0.6, 0, 1))[..., None]
    for row in (300, 345, 392):
        tendon = np.exp(-(((y - row - 0.05 * (x - 300)) / 7) ** 2)) * edge(x - 470, 30) * edge(255 - x, 20)
        skin += 0.035 * tendon[..., None]
    for px, py, turn in ((78, 245, 0.0), (38, 323, 0.0), (52, 394, -0.1), (112, 461, -0.2)):
        skin = mix(skin, (0.93, 0.78, 0.72), 0.7 * edge((ellipse(y, x, (py, px), (11, 16), turn) - 1) * 12, 2))
    picture = picture * (1 - inside[..., None]) + skin * inside[..., None]
    wobble = 0.07 * noise(rng, height, width, 40, 2)
    ulcer = ellipse(y, x, (345, 400), (42, 50)) + wobble
    picture = mix(picture, (0.62, 0.28, 0.40), 0.85 * edge((ulcer - 1.22) * 45, 5))
    picture = mix(picture, (0.52, 0.16, 0.16), edge((ulcer - 0.88) * 45, 3))
    crust = edge((ulcer - 0.70) * 45, 3) * (0.6 + 0.25 * noise(rng, height, width, 12, 2))
    picture = mix(picture, (0.80, 0.66, 0.30), np.clip(crust, 0, 1))
    for index, (px, py, size) in enumerate(((575, 352, 27), (710, 345, 24), (855, 358, 30), (1010, 350, 21))):
        nodule = ellipse(y, x, (py, px), (size, size * 1.12)) + 0.5 * wobble
        picture = mix(picture, (0.78, 0.36, 0.33), 0.55 * np.exp(-((nodule / 1.5) ** 4)))
        picture = mix(picture, (0.70, 0.20, 0.21), 0.8 * edge((nodule - 1) * size, 4))
        light = ellipse(y, x, (py - size * 0.35, px - size * 0.3), (size * 0.3, size * 0.4))
        picture = mix(picture, (0.95, 0.66, 0.60), 0.55 * np.exp(-(light**2)))
        if index == 2:
            picture = mix(picture, (0.93, 0.86, 0.58), edge(np.hypot(y - py, x - px) - 7, 2))
    return to_picture(picture)


def culture_plate() -> Image.Image:
    """Give a Petri dish with pale amber agar and one wrinkled cream colony with a brown-black centre."""
    height, width = 800, 900
    rng = generator(604)
    y, x = grid(height, width)
    picture = np.ones((height, width, 3)) * 0.20 + 0.010 * noise(rng, height, width, 80, 3)[..., None]
    dish = np.hypot(y - 400, x - 450)
    picture = mix(picture, (0.72, 0.74, 0.76), edge(dish - 372, 2))
    agar = np.ones((height, width, 3)) * np.array([0.89, 0.78, 0.52]) * (1.04 - 0.12 * (dish / 360) ** 2)[..., None]
    inside = edge(dish - 352, 2)
    picture = picture * (1 - inside[..., None]) + agar * inside[..., None]
    picture = mix(picture, (0.97, 0.98, 1.0), 0.8 * np.exp(-0.5 * ((dish - 362) / 3) ** 2))
    angle = np.arctan2(y - 415, x - 440)
    radius = np.hypot(y - 415, x - 440) * (1 + 0.05 * np.sin(5 * angle) + 0.03 * np.sin(11 * angle + 1))
    warp = noise(rng, height, width, 120, 2)
    folds = np.sin(11 * angle + 1.3 * warp + radius / 55) * np.clip(radius / 90, 0, 1) + 0.8 * np.sin(
        radius / 13 + 2 * warp
    )
    colony = edge(radius - 205, 3)
    picture = mix(picture, (0.52, 0.43, 0.26), 0.5 * edge(np.hypot(y - 423, x - 448) - 208, 6) * (1 - colony))
    tone = np.clip((radius - 78 - 14 * warp) / 55, 0, 1)[..., None]
    cream, dark = np.array([0.94, 0.89, 0.76]), np.array([0.14, 0.09, 0.06])
    ring = np.exp(-(((radius - 100) / 30) ** 2))[..., None]
    surface = dark * (1 - tone) + cream * tone
    surface = surface * (1 - 0.55 * ring) + np.array([0.45, 0.30, 0.17]) * 0.55 * ring
    surface = surface + 0.055 * folds[..., None] * (0.45 + 0.55 * tone)
    picture = picture * (1 - colony[..., None]) + surface * colony[..., None]
    gleam = np.clip(folds - 1.25, 0, 1) * colony * np.clip(noise(rng, height, width, 50, 2), 0, 1.5)
    return to_picture(mix(picture, (1, 1, 1), np.clip(0.9 * gleam, 0, 0.8)))
