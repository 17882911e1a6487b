"""Histology schematics: spindle cell tumour, its immunostain, oesophageal biopsy, fungi in silver and PAS stains."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from drawing.canvas import edge, generator, grid, mix, noise, side_by_side, to_picture, with_letter

Points = list[tuple[float, float]]


def _tissue(rng: np.random.Generator, height: int, width: int, colour: tuple[float, float, float]) -> np.ndarray:
    """Give a stained background, height x width x 3, with fibres and uneven dye."""
    y, x = grid(height, width)
    bend = noise(rng, height, width, 180, 2)
    fibres = np.sin((y + 18 * bend) / 3.1 + 2.5 * noise(rng, height, width, 60, 2))
    shade = 0.030 * noise(rng, height, width, 120, 3) + 0.018 * fibres
    return np.clip(np.asarray(colour) + shade[..., None] * np.array([0.6, 1.0, 0.8]), 0, 1)


def _blob(centre: tuple[float, float], radii: tuple[float, float], turn: float, wobble: np.ndarray) -> Points:
    """Give an uneven ellipse as points; `centre` x, y; `radii` along and across; `wobble` one factor per point."""
    angles = np.linspace(0, 2 * np.pi, wobble.size, endpoint=False)
    along, across = radii[0] * wobble * np.cos(angles), radii[1] * wobble * np.sin(angles)
    x = centre[0] + along * np.cos(turn) - across * np.sin(turn)
    y = centre[1] + along * np.sin(turn) + across * np.cos(turn)
    return list(zip(x.tolist(), y.tolist(), strict=True))


class _Cells:
    """Draws cells over a tissue picture in double size, so that edges come out smooth."""

    def __init__(self, tissue: np.ndarray, rng: np.random.Generator) -> None:
        small = to_picture(tissue)
        self.size = small.size
        self.picture = small.resize((small.width * 2, small.height * 2), Image.Resampling.BICUBIC)
        self.draw = ImageDraw.Draw(self.picture)
        self.rng = rng

    def cell(
        self,
        centre: tuple[float, float],
        radii: tuple[float, float],
        turn: float,
        colour: tuple[int, int, int],
        rim: tuple[int, int, int] | None = None,
        unevenness: float = 0.06,
    ) -> None:
        wobble = 1 + self.rng.normal(scale=unevenness, size=14)
        points = _blob((centre[0] * 2, centre[1] * 2), (radii[0] * 2, radii[1] * 2), turn, wobble)
        shade = self.rng.normal(scale=7)
        fill = tuple(int(np.clip(part + shade, 0, 255)) for part in colour)
        self.draw.polygon(points, fill=fill, outline=rim)

    def line(self, points: Points, width_px: float, colour: tuple[int, int, int]) -> None:
        doubled = [(px * 2, py * 2) for px, py in points]
        self.draw.line(doubled, fill=colour, width=round(width_px * 2), joint="curve")

    def finish(self, blur_px: float = 1.1) -> Image.Image:
        return self.picture.filter(ImageFilter.GaussianBlur(blur_px)).resize(self.size, Image.Resampling.LANCZOS)


PINK, PALE, VIOLET = (0.90, 0.66, 0.78), (0.95, 0.86, 0.92), (92, 48, 128)


def _low_power() -> Image.Image:
    """Give the capsule at the left, a cellular area, and a loose pale area at the right."""
    height, width = 760, 760
    rng = generator(301)
    y, x = grid(height, width)
    tissue = _tissue(rng, height, width, PINK)
    border = x - 440 - 70 * np.sin(y / 170) - 25 * noise(rng, height, width, 120, 2)
    loose = edge(-border, 14)
    tissue = tissue * (1 - loose[..., None]) + _tissue(rng, height, width, PALE) * loose[..., None]
    capsule_line = 105 + 22 * np.sin(y / 210)
    capsule = edge(x - capsule_line, 4)
    tissue = mix(tissue, (0.86, 0.48, 0.62), 0.85 * capsule)
    tissue = mix(tissue, (0.80, 0.38, 0.55), 0.5 * capsule * (np.sin((x - capsule_line) / 3.4 + y / 300) > 0.5))
    tissue = mix(tissue, (0.97, 0.95, 0.97), edge(x - 26 - 14 * np.sin(y / 210), 4))
    cells = _Cells(tissue, rng)
    swirl = noise(rng, height, width, 200, 2)
    for _ in range(9500):
        px, py = rng.uniform(30, width), rng.uniform(0, height)
        in_loose, in_capsule = loose[int(py), int(px)] > 0.5, capsule[int(py), int(px)] > 0.5
        if (in_loose and rng.random() > 0.09) or (in_capsule and rng.random() > 0.05):
            continue
        turn = np.pi / 2 if in_capsule else 0.7 + 1.1 * swirl[int(py), int(px)]
        if not in_loose and not in_capsule and np.sin((px * np.cos(turn) + py * np.sin(turn)) / 11) < -0.1:
            continue
        cells.cell((px, py), (5.2, 1.7), turn + rng.normal(scale=0.2), VIOLET)
    return cells.finish()


def _high_power() -> Image.Image:
    """Give palisades: rows of parallel elongated nuclei on both sides of pink bands without nuclei."""
    height, width = 760, 760
    rng = generator(302)
    cells = _Cells(_tissue(rng, height, width, (0.91, 0.64, 0.77)), rng)
    for band in range(-1, 5):
        middle = 90 + band * 180
        for row in (-62, -38, 38, 62):
            for px in np.arange(-10, width + 20, 13.5):
                wave = 26 * np.sin(px / 150 + band * 1.3) + 8 * np.sin(px / 47 + band)
                py = middle + row + wave + rng.normal(scale=6)
                turn = np.pi / 2 + 0.25 * np.cos(px / 150 + band) + rng.normal(scale=0.12)
                if rng.random() < 0.93:
                    cells.cell((px + rng.normal(scale=2.5), py), (18, 4.6), turn, VIOLET, rim=(70, 32, 104))
    for _ in range(60):
        cells.cell((rng.uniform(0, width), rng.uniform(0, height)), (15, 4), rng.uniform(0, np.pi), VIOLET)
    return cells.finish()


def spindle_cell_tumour() -> Image.Image:
    """Give panel a (capsule, cellular and loose areas) and panel b (palisades)."""
    return side_by_side(with_letter(_low_power(), "a"), with_letter(_high_power(), "b"))


def s100_immunostain() -> Image.Image:
    """Give brown spindle cells beside an unstained capsule at the left margin."""
    height, width = 780, 1040
    rng = generator(303)
    y, x = grid(height, width)
    tissue = _tissue(rng, height, width, (0.80, 0.66, 0.52))
    capsule = edge(x - 130 - 24 * np.sin(y / 160), 3)
    tissue = mix(tissue, (0.86, 0.88, 0.93), capsule)
    cells = _Cells(tissue, rng)
    swirl = noise(rng, height, width, 240, 2)
    for _ in range(2900):
        px, py = rng.uniform(0, width), rng.uniform(0, height)
        turn = 0.5 + 0.9 * swirl[int(py), int(px)] + rng.normal(scale=0.15)
        if capsule[int(py), int(px)] > 0.5:
            if rng.random() < 0.12:
                cells.cell((px, py), (11, 2.6), np.pi / 2 + rng.normal(scale=0.1), (112, 128, 178))
        elif rng.random() < 0.04:
            cells.cell((px, py), (13, 4.5), turn, (120, 130, 175))
        else:
            cells.cell((px, py), (24, 6), turn, (158, 102, 52))
            cells.cell((px, py), (12, 4.6), turn, (88, 46, 18))
    return cells.finish()


def eosinophils_in_oesophagus() -> Image.Image:
    """Give squamous epithelium with red bilobed granulocytes, most near the surface, over a dark broad basal layer."""
    height, width = 800, 1000
    rng = generator(304)
    y, x = grid(height, width)
    tissue = _tissue(rng, height, width, (0.93, 0.73, 0.82))
    surface = 60 + 10 * np.sin(x / 90)
    tissue = mix(tissue, (0.98, 0.97, 0.98), edge(y - surface, 3))
    floor = 725 + 22 * np.sin(x / 110)
    tissue = mix(tissue, (0.92, 0.76, 0.84), edge(floor - y, 3))
    cells = _Cells(tissue, rng)
    for row, py in enumerate(np.arange(84, 735, 25)):
        depth = (py - 60) / 670
        step = 30 if depth < 0.62 else 17
        for px in np.arange(-10 + (row % 2) * step / 2, width + 20, step):
            at = (px + rng.normal(scale=3), py + rng.normal(scale=3))
            if depth < 0.62:
                cells.cell(at, (14.5 - 2 * depth, 11), 0, (236, 186, 208), rim=(214, 150, 184), unevenness=0.03)
                cells.cell(at, (5.5, 3.6 + 2.4 * depth), 0, (134, 84, 150))
            else:
                cells.cell(at, (6.2, 10), rng.normal(scale=0.15), (88, 46, 126), rim=(66, 30, 104))
    for _ in range(58):
        px, py = rng.uniform(20, width - 20), 85 + min(rng.exponential(165), 560)
        cells.cell((px, py), (14, 13), 0, (222, 44, 62), rim=(170, 20, 40), unevenness=0.05)
        for _ in range(16):
            angle, radius = rng.uniform(0, 2 * np.pi), 10.5 * np.sqrt(rng.random())
            cells.cell((px + radius * np.cos(angle), py + radius * np.sin(angle)), (1.5, 1.5), 0, (250, 96, 88))
        tilt = rng.uniform(0, np.pi)
        for sign in (-1, 1):
            cells.cell((px + sign * 5 * np.cos(tilt), py + sign * 5 * np.sin(tilt)), (5, 4.4), tilt, (74, 34, 112))
    for _ in range(45):
        cells.cell((rng.uniform(0, width), rng.uniform(752, height)), (9, 2.6), rng.normal(scale=0.3), (110, 62, 140))
    return cells.finish()


def fungal_hyphae_silver() -> Image.Image:
    """Give black hyphae of even width, with cross walls and acute branching, on a green background."""
    height, width = 780, 1040
    rng = generator(305)
    cells = _Cells(_tissue(rng, height, width, (0.60, 0.80, 0.70)), rng)

    def grow(px: float, py: float, heading: float, steps: int, depth: int) -> None:
        points = [(px, py)]
        for step in range(steps):
            heading += rng.normal(scale=0.05)
            px, py = px + 11 * np.cos(heading), py + 11 * np.sin(heading)
            points.append((px, py))
            if depth < 2 and step > 3 and rng.random() < 0.10:
                side = rng.choice([-1, 1])
                grow(px, py, heading + side * np.deg2rad(rng.uniform(38, 48)), int(steps * 0.7), depth + 1)
        cells.line(points, 7.5, (34, 34, 30))
        for (ax, ay), (bx, by) in list(zip(points, points[1:], strict=False))[3::4]:
            angle = np.arctan2(by - ay, bx - ax) + np.pi / 2
            dx, dy = 3.6 * np.cos(angle), 3.6 * np.sin(angle)
            cells.line([(ax - dx, ay - dy), (ax + dx, ay + dy)], 1.4, (150, 172, 152))

    for _ in range(30):
        grow(rng.uniform(-40, width), rng.uniform(-20, height + 20), rng.normal(loc=-0.5, scale=0.55), 34, 0)
    return cells.finish()


def yeasts_pas() -> Image.Image:
    """Give magenta round and cigar-shaped yeasts, one budding, among neutrophils and pale epithelioid cells."""
    height, width = 780, 1040
    rng = generator(306)
    cells = _Cells(_tissue(rng, height, width, (0.91, 0.80, 0.87)), rng)
    for _ in range(120):
        at, turn = (rng.uniform(0, width), rng.uniform(0, height)), rng.uniform(0, np.pi)
        cells.cell(at, (46, 24), turn, (232, 204, 222), rim=(218, 182, 206))
        cells.cell(at, (17, 10), turn, (168, 140, 188), rim=(140, 106, 166))
    for _ in range(150):
        px, py = rng.uniform(0, width), rng.uniform(0, height)
        cells.cell((px, py), (15, 14), 0, (226, 196, 216), rim=(206, 170, 196))
        start = rng.uniform(0, 2 * np.pi)
        for lobe in range(3):
            angle = start + lobe * 2.1
            cells.cell((px + 6 * np.cos(angle), py + 6 * np.sin(angle)), (5.4, 4.6), angle, (80, 52, 130))
    yeasts = [(330, 250, 17, 15), (700, 520, 16, 15), (560, 190, 34, 10), (420, 560, 36, 10)] + [
        (820, 260, 32, 9),
        (230, 470, 15, 14),
        (640, 350, 18, 16),
    ]
    for px, py, along, across in yeasts:
        turn = rng.uniform(0, np.pi)
        cells.cell((px, py), (along + 5, across + 5), turn, (244, 232, 240), unevenness=0.02)
        cells.cell((px, py), (along, across), turn, (196, 28, 124), rim=(142, 6, 84), unevenness=0.03)
    cells.cell((664, 332), (9, 8), 0, (196, 28, 124), rim=(142, 6, 84), unevenness=0.03)
    return cells.finish()
