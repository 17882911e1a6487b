"""Chest radiograph and CT schematics: a cavity with a ball in the right upper lobe (on the left of the picture)."""

import numpy as np
from PIL import Image

from drawing.canvas import (
    blur,
    edge,
    ellipse,
    generator,
    grid,
    mask_of_polygon,
    noise,
    side_by_side,
    to_picture,
    with_letter,
)

HEIGHT, WIDTH = 1000, 1000


def _lung(side: int) -> list[tuple[float, float]]:
    """Give the outline of one lung as points (x, y); `side` is -1 for the left half of the picture, 1 for the right."""
    right_half = [(60, 190), (130, 140), (210, 165), (270, 260), (315, 400), (345, 560), (350, 700), (345, 790)]
    base = [(300, 735), (230, 705), (150, 715), (95, 745)] if side < 0 else [(300, 750), (230, 725), (170, 735)]
    medial = [(70, 640), (60, 480), (55, 330)] if side < 0 else [(190, 640), (150, 560), (95, 480), (70, 380)]
    return [(500 + side * x, y) for x, y in right_half + base + medial]


def _ribs(side: int) -> np.ndarray:
    """Give the brightness added by the posterior and anterior ribs of one side."""
    y, x = grid(HEIGHT, WIDTH)
    outward = (x - 500) * side
    total = np.zeros((HEIGHT, WIDTH))
    for index in range(9):
        start = 150 + index * 68
        reach = 170 + 190 * np.sin(np.clip((index + 1.5) / 9, 0, 1) * np.pi / 2)
        posterior = start + 0.00055 * (outward - 60) ** 2 + 0.10 * (outward - 60)
        total += 0.105 * np.exp(-0.5 * ((y - posterior) / 11) ** 4) * edge(40 - outward, 8) * edge(outward - reach, 10)
        anterior = start + 205 - 0.0012 * (outward - 60) ** 2 - 0.18 * (reach - outward)
        near = edge(110 - outward, 12) * edge(outward - reach, 10)
        total += 0.05 * np.exp(-0.5 * ((y - anterior) / 13) ** 4) * near
    return total


def chest_radiograph() -> Image.Image:
    """Give a posteroanterior film: cavity, ball and air crescent in the right upper zone, trachea to the right."""
    rng = generator(201)
    y, x = grid(HEIGHT, WIDTH)
    body = edge((ellipse(y, x, (640, 500), (700, 480)) - 1) * 400, 6)
    shoulders = edge((ellipse(y, x, (520, 500), (460, 560)) - 1) * 400, 8) * edge(
        120 + 0.00045 * (x - 500) ** 2 - y, 12
    )
    neck = edge(np.abs(x - 500) - 95, 8) * edge(y - 240, 10)
    soft = np.clip(np.maximum.reduce([body * edge(100 - y, 20), shoulders, neck]), 0, 1)
    film = 0.03 + 0.60 * soft
    lungs = np.zeros((HEIGHT, WIDTH))
    for side in (-1, 1):
        lungs = np.maximum(lungs, mask_of_polygon(HEIGHT, WIDTH, _lung(side), soft_px=5))
    vessels = np.clip(noise(rng, HEIGHT, WIDTH, 60, 4), -1.5, 2.5) * 0.022
    hilum = 0.16 * np.exp(-((ellipse(y, x, (450, 395), (85, 50))) ** 2)) + 0.16 * np.exp(
        -((ellipse(y, x, (440, 610), (85, 55))) ** 2)
    )
    film = film * (1 - lungs) + lungs * (0.15 + 0.00007 * (y - 200) + vessels + hilum)
    film += _ribs(-1) * (0.35 + 0.65 * lungs) * soft + _ribs(1) * (0.35 + 0.65 * lungs) * soft
    heart = edge((ellipse(y, x, (620, 545), (150, 165), 0.35) - 1) * 150, 7)
    film = np.maximum(film, 0.70 * heart * edge(y - 775, 12))
    spine = np.exp(-0.5 * ((x - 500) / 42) ** 4) * edge(y - 960, 20) * edge(80 - y, 15)
    film += spine * (0.10 + 0.035 * np.cos(y / 46 * 2 * np.pi / 1.35))
    film = np.maximum(film, 0.66 * edge((ellipse(y, x, (310, 560), (48, 50)) - 1) * 48, 6))
    for side in (-1, 1):
        outward = (x - 500) * side
        clavicle = 205 - 0.16 * outward + 14 * np.sin(outward / 70)
        film += 0.17 * np.exp(-0.5 * ((y - clavicle) / 12) ** 4) * edge(40 - outward, 6) * edge(outward - 330, 10)
    trachea_x = 492 - 52 * np.clip((y - 130) / 240, 0, 1)
    film -= 0.26 * np.exp(-0.5 * ((x - trachea_x) / 17) ** 4) * edge(y - 385, 8) * edge(70 - y, 12)
    film = _with_cavity(film, y, x, rng)
    film = blur(film, 1) + rng.normal(scale=0.012, size=film.shape)
    return to_picture(np.clip(film * 1.08, 0, 1))


def _with_cavity(film: np.ndarray, y: np.ndarray, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    wobble = 0.03 * noise(rng, HEIGHT, WIDTH, 90, 2)
    outer = ellipse(y, x, (272, 318), (98, 92)) + wobble
    inner = ellipse(y, x, (272, 318), (74, 68)) + wobble
    ball = ellipse(y, x, (292, 318), (50, 54)) + 0.5 * wobble
    wall = edge((outer - 1) * 90, 4)
    film = film * (1 - wall) + wall * (film * 0.35 + 0.42)
    air = edge((inner - 1) * 70, 3)
    film = film * (1 - air) + air * 0.14
    content = edge((ball - 1) * 50, 3)
    film = film * (1 - content) + content * 0.60
    scars = edge((ellipse(y, x, (200, 330), (70, 110)) - 1) * 80, 20) * np.clip(noise(rng, HEIGHT, WIDTH, 26, 2), 0, 2)
    return film + 0.05 * scars * (1 - wall)


def _ct_slice(is_prone: bool) -> Image.Image:
    """Give one axial slice in lung window; the ball lies behind (supine) or in front (prone)."""
    height, width = 660, 780
    rng = generator(202)
    y, x = grid(height, width)
    centre = (330, 390)
    chest = edge((ellipse(y, x, centre, (235, 345)) - 1) * 250, 3)
    film = 0.02 + 0.55 * chest
    fat = edge((ellipse(y, x, centre, (218, 325)) - 1) * 240, 3)
    film = film * (1 - fat) + 0.68 * fat
    texture = noise(rng, height, width, 42, 3)
    for side in (-1, 1):
        lung = edge((ellipse(y, x, (325, 390 + side * 168), (168, 118), side * 0.12) - 1) * 120 + 4 * texture, 3)
        vessels = np.clip(noise(rng, height, width, 18, 2) - 1.35, 0, 1) * 0.75
        film = film * (1 - lung) + lung * (0.10 + 0.012 * texture + vessels)
    film = np.maximum(film, 0.74 * edge((ellipse(y, x, (330, 392), (125, 62)) - 1) * 90, 4))
    for angle in np.deg2rad([20, 62, 118, 160, 200, 238, 302, 340]):
        at = (330 + 203 * np.sin(angle), 390 + 306 * np.cos(angle))
        along = np.arctan2(203 * np.cos(angle), -306 * np.sin(angle))
        film = np.maximum(film, 0.95 * edge((ellipse(y, x, at, (9, 30), along) - 1) * 14, 2))
    film = np.maximum(film, 0.95 * edge((ellipse(y, x, (495, 390), (36, 42)) - 1) * 36, 3))
    film = np.maximum(film, 0.92 * edge((ellipse(y, x, (540, 390), (26, 12)) - 1) * 18, 3))
    trachea = edge((ellipse(y, x, (315, 372), (22, 20)) - 1) * 20, 2)
    film = film * (1 - trachea) + 0.01 * trachea
    cavity_at = (330, 212)
    wall = edge((ellipse(y, x, cavity_at, (112, 92)) - 1) * 95 + 3 * texture, 2)
    film = film * (1 - wall) + 0.70 * wall
    air = edge((ellipse(y, x, cavity_at, (92, 73)) - 1) * 80 + 2 * texture, 2)
    film = film * (1 - air) + 0.03 * air
    ball_y = cavity_at[0] + (-38 if is_prone else 38)
    ball = edge((ellipse(y, x, (ball_y, cavity_at[1]), (56, 58)) - 1) * 56 + 2 * texture, 2)
    specks = 0.10 * np.clip(noise(rng, height, width, 9, 1) - 0.8, 0, 1)
    film = film * (1 - ball) + ball * (0.66 - specks)
    table = 618 if not is_prone else 42
    film = np.maximum(film, 0.35 * np.exp(-0.5 * ((y - table + 0.00008 * (x - 390) ** 2) / 3) ** 2))
    film = blur(film, 1) + rng.normal(scale=0.018, size=film.shape)
    return to_picture(film)


def chest_ct_two_positions() -> Image.Image:
    """Give panel A (supine: ball on the posterior wall) and panel B (prone: ball on the anterior wall)."""
    return side_by_side(with_letter(_ct_slice(False), "A"), with_letter(_ct_slice(True), "B"))
