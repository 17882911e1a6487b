"""Endoscopy schematic: an oesophagus with rings, furrows and white plaques."""

import numpy as np
from PIL import Image, ImageDraw

from drawing.canvas import blur, edge, generator, grid, mix, noise, to_picture


def oesophagus_with_rings() -> Image.Image:
    """Give the view down the oesophagus: rings, vertical furrows, plaques mainly at the lower left; no mass."""
    height, width = 900, 1000
    rng = generator(501)
    y, x = grid(height, width)
    centre_y, centre_x = 425.0, 520.0
    wobble = noise(rng, height, width, 260, 2)
    angle = np.arctan2(y - centre_y, x - centre_x)
    radius = np.hypot((y - centre_y) * 1.04, x - centre_x) * (1 + 0.035 * np.sin(3 * angle + 0.6) + 0.02 * wobble)
    depth = 260.0 / np.maximum(radius, 26)
    phase = 2 * np.pi * 2.5 * np.log(np.maximum(radius, 20) / 40)
    saw = (phase / (2 * np.pi)) % 1.0
    ridge = np.exp(-((np.minimum(saw, 1 - saw) / 0.10) ** 2))
    shade = np.exp(-(((saw - 0.86) / 0.085) ** 2))
    picture = np.ones((height, width, 3)) * np.array([0.90, 0.66, 0.60])
    picture += 0.020 * noise(rng, height, width, 50, 4)[..., None]
    light = np.clip(1.16 - 0.30 * depth, 0.02, 1.05)
    picture *= (light * (0.86 + 0.24 * ridge - 0.30 * shade))[..., None]
    furrow = np.zeros((height, width))
    for at in (-2.75, -2.05, -1.45, -0.8, -0.15, 0.55, 1.15, 1.85, 2.5):
        bent = angle - at - 0.035 * np.sin(radius / 70 + at * 3)
        distance = np.abs(np.arctan2(np.sin(bent), np.cos(bent))) * radius
        furrow = np.maximum(furrow, np.exp(-((distance / (4.0 + radius / 55)) ** 2)))
    picture = mix(picture, (0.58, 0.33, 0.31), 0.62 * furrow * edge(70 - radius, 10))
    lumen = edge(radius - 52, 9)
    picture = mix(picture, (0.05, 0.015, 0.015), lumen)
    plaques = np.zeros((height, width))
    for index in range(46):
        if index < 34:
            at, far = rng.normal(loc=2.35, scale=0.33), rng.uniform(110, 370)
        else:
            at, far = rng.uniform(-np.pi, np.pi), rng.uniform(130, 380)
        py, px = centre_y + far * np.sin(at), centre_x + far * np.cos(at)
        size = rng.uniform(3, 6.5) * (0.5 + far / 300)
        near = np.s_[max(int(py) - 40, 0) : int(py) + 41, max(int(px) - 40, 0) : int(px) + 41]
        spot = np.hypot((y[near] - py) * rng.uniform(0.8, 1.3), x[near] - px) + 1.6 * wobble[near]
        plaques[near] = np.maximum(plaques[near], edge(spot - size, 1.4))
    picture = mix(picture, (0.97, 0.96, 0.92), 0.92 * plaques)
    gleam = np.clip(noise(rng, height, width, 34, 2) - 2.0, 0, 0.8) * ridge * edge(180 - radius, 20)
    picture = mix(picture, (1, 1, 1), np.clip(gleam * 1.6, 0, 1))
    frame = Image.new("L", (width, height), 0)
    ImageDraw.Draw(frame).rounded_rectangle((30, 25, width - 30, height - 25), radius=150, fill=255)
    frame_mask = blur(np.asarray(frame, dtype=float) / 255, 1)
    picture = blur(picture, 1) + rng.normal(scale=0.007, size=picture.shape)
    return to_picture(picture * frame_mask[..., None])
