"""Electrocardiograms computed from two trains: the times of the P waves and the times of the QRS complexes.

Paper speed 25 mm/s, gain 10 mm/mV. Complete atrioventricular block is two trains that know nothing of each other.
"""

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from drawing.canvas import generator

PX_PER_MM = 6
MM_PER_S = 25.0
MM_PER_MV = 10.0

# Height in mV of P, Q, R, S, T: a normal axis and normal progression over the chest leads.
_CHEST_LEADS = {
    "V1": (0.06, 0.0, 0.22, -0.95, -0.08),
    "V2": (0.07, 0.0, 0.40, -1.20, 0.30),
    "V3": (0.08, 0.0, 0.75, -0.80, 0.38),
    "V4": (0.09, -0.05, 1.25, -0.45, 0.38),
    "V5": (0.09, -0.08, 1.20, -0.22, 0.32),
    "V6": (0.09, -0.08, 0.95, -0.10, 0.25),
}
_LEAD_I = np.array([0.07, -0.04, 0.60, -0.12, 0.18])
_LEAD_III = np.array([0.08, -0.03, 0.45, -0.10, 0.12])

# The other limb leads follow from I and III (Einthoven 1912; Goldberger 1942).
LEADS = {
    "I": _LEAD_I,
    "II": _LEAD_I + _LEAD_III,
    "III": _LEAD_III,
    "aVR": -_LEAD_I - _LEAD_III / 2,
    "aVL": (_LEAD_I - _LEAD_III) / 2,
    "aVF": _LEAD_III + _LEAD_I / 2,
    **{lead: np.array(heights) for lead, heights in _CHEST_LEADS.items()},
}


@dataclass(frozen=True)
class Rhythm:
    """When the atria and the ventricles depolarise.

    Attributes:
        p_onsets_s: onset of each P wave, seconds from the start of the paper.
        qrs_onsets_s: onset of each QRS complex, seconds.
        qrs_duration_s: width of the QRS complex, seconds.
    """

    p_onsets_s: tuple[float, ...]
    qrs_onsets_s: tuple[float, ...]
    qrs_duration_s: float = 0.09

    @classmethod
    def complete_block(cls, atrial_rate: float, ventricular_rate: float, length_s: float) -> "Rhythm":
        """Give two independent regular trains (rates per minute)."""
        return cls(
            p_onsets_s=tuple(np.arange(-0.31, length_s + 1, 60 / atrial_rate).round(6)),
            qrs_onsets_s=tuple(np.arange(0.37, length_s + 1, 60 / ventricular_rate).round(6)),
        )

    @classmethod
    def conducted(cls, rate: float, pr_s: float, length_s: float) -> "Rhythm":
        """Give one P wave before each QRS complex at a constant PR interval."""
        p_onsets = np.arange(0.12, length_s + 1, 60 / rate)
        return cls(
            p_onsets_s=tuple(p_onsets.round(6)),
            qrs_onsets_s=tuple((p_onsets + pr_s).round(6)),
        )


def _bump(t: np.ndarray, centre_s: float, width_s: float) -> np.ndarray:
    return np.exp(-0.5 * ((t - centre_s) / width_s) ** 2)


def voltage(rhythm: Rhythm, lead: str, t: np.ndarray) -> np.ndarray:
    """Give the voltage in mV of a lead at times `t` (seconds)."""
    p, q, r, s, twave = LEADS[lead]
    trace = np.zeros_like(t)
    for onset in rhythm.p_onsets_s:
        trace += p * _bump(t, onset + 0.05, 0.022)
    for onset in rhythm.qrs_onsets_s:
        d = rhythm.qrs_duration_s
        trace += q * _bump(t, onset + 0.15 * d, 0.08 * d)
        trace += r * _bump(t, onset + 0.45 * d, 0.12 * d)
        trace += s * _bump(t, onset + 0.75 * d, 0.10 * d)
        trace += twave * _bump(t, onset + 0.34, 0.055)
    return trace


def _paper(width_mm: float, height_mm: float) -> Image.Image:
    picture = Image.new("RGB", (round(width_mm * PX_PER_MM), round(height_mm * PX_PER_MM)), (255, 246, 243))
    draw = ImageDraw.Draw(picture)
    for step_mm, colour in ((1, (250, 222, 216)), (5, (240, 178, 168))):
        for x in range(0, picture.width, step_mm * PX_PER_MM):
            draw.line((x, 0, x, picture.height), fill=colour)
        for y in range(0, picture.height, step_mm * PX_PER_MM):
            draw.line((0, y, picture.width, y), fill=colour)
    return picture


def _trace(
    picture: Image.Image,
    rhythm: Rhythm,
    lead: str,
    start_s: float,
    length_s: float,
    x_mm: float,
    y_mm: float,
    seed: int,
) -> None:
    draw = ImageDraw.Draw(picture)
    t = np.arange(0, length_s, 1 / (MM_PER_S * PX_PER_MM) / 2)
    millivolts = voltage(rhythm, lead, t + start_s) + generator(seed).normal(scale=0.006, size=t.size)
    x = (x_mm + t * MM_PER_S) * PX_PER_MM
    y = (y_mm - millivolts * MM_PER_MV) * PX_PER_MM
    draw.line(list(zip(x.tolist(), y.tolist(), strict=True)), fill=(25, 25, 35), width=3, joint="curve")
    draw.text((x_mm * PX_PER_MM + 6, (y_mm - 14) * PX_PER_MM), lead, fill=(25, 25, 35), font=ImageFont.load_default(26))


ADMISSION = Rhythm.complete_block(atrial_rate=88, ventricular_rate=38, length_s=10)
RECOVERY = Rhythm.conducted(rate=72, pr_s=0.24, length_s=6)


def twelve_leads_on_admission() -> Image.Image:
    """Give the 12-lead tracing: three rows of four leads, 2.5 s each, and lead II for 10 s below; time runs on."""
    picture = _paper(255, 135)
    rows = (("I", "aVR", "V1", "V4"), ("II", "aVL", "V2", "V5"), ("III", "aVF", "V3", "V6"))
    for row, leads in enumerate(rows):
        for column, lead in enumerate(leads):
            _trace(
                picture, ADMISSION, lead, column * 2.5, 2.5, 3 + column * 62.5, 22 + row * 33, seed=row * 10 + column
            )
    _trace(picture, ADMISSION, "II", 0, 10, 3, 122, seed=99)
    return picture


def rhythm_strip_with_p_markers() -> Image.Image:
    """Give lead II over 8 s with a red triangle over each P wave's peak."""
    length_s = 8.0
    picture = _paper(210, 50)
    _trace(picture, ADMISSION, "II", 0, length_s, 5, 34, seed=7)
    draw = ImageDraw.Draw(picture)
    for onset in ADMISSION.p_onsets_s:
        peak = onset + 0.05
        if 0 <= peak < length_s:
            x, y = (5 + peak * MM_PER_S) * PX_PER_MM, 13 * PX_PER_MM
            draw.polygon([(x - 9, y - 16), (x + 9, y - 16), (x, y)], fill=(200, 20, 30))
    return picture


def two_leads_on_day_nine() -> Image.Image:
    """Give leads II and V1 over 6 s in sinus rhythm with a PR interval of 240 ms."""
    picture = _paper(160, 80)
    _trace(picture, RECOVERY, "II", 0, 6, 5, 28, seed=21)
    _trace(picture, RECOVERY, "V1", 0, 6, 5, 60, seed=22)
    return picture
