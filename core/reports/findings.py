"""What the rules baseline reads from a report: a finding with its site, polarity and described values."""

import re
from dataclasses import dataclass, field, replace

from core.domain.reports import Expected, Facet, System
from core.reports.lexicon import ABNORMALITY, lexicon

BOTH = frozenset({"left", "right"})
OTHER = "other"
_MEASURE = re.compile(
    r"(\d+(?:\.\d+)?)\s*(?:x\s*(\d+(?:\.\d+)?)\s*)?(?:x\s*(\d+(?:\.\d+)?)\s*)?(mm|cm)\b"
    # A distance (`4 cm above the carina`) is no size.
    r"(?!\s+(?:above|below|from|away|proximal to|distal to)\b)",
    re.IGNORECASE,
)
_SAME_SIZE = 0.1


@dataclass(frozen=True)
class Described:
    """A facet's value as normalised, with the words that say it."""

    facet: Facet
    value: str
    words: str


@dataclass(frozen=True)
class Finding:
    """One finding of one report.

    Attributes:
        name: normalised name without its site.
        organ: region it lies in; None when the report does not say.
        side: left, right, both, or empty when not stated.
        level: upper, middle, lower as stated.
        polarity: yes when present, no when denied.
        limits: words that narrow a denial (`acute fracture`, `other lung abnormality`).
        is_known: the name is of the lexicon, so that names compare as such; else they compare as strings.
        is_hedged: stated with reserve.
    """

    name: str
    organ: str | None
    side: frozenset[str]
    level: frozenset[str]
    polarity: Expected
    sentence: str
    quote: str
    described: tuple[Described, ...] = ()
    limits: frozenset[str] = frozenset()
    is_known: bool = True
    is_hedged: bool = False
    id: str = field(default="", compare=False)

    @property
    def entity(self) -> str:
        """The name with side, level, limits and organ, for example `left lower lung nodule`."""
        side = "bilateral" if self.side == BOTH else " ".join(sorted(self.side))
        level = " ".join(sorted(self.level))
        concept = lexicon().concepts.get(self.name)
        is_implied = concept is not None and concept.region == self.organ
        organ = self.organ if self.organ and not is_implied and self.organ not in self.name else ""
        return " ".join(part for part in (" ".join(sorted(self.limits)), side, level, organ, self.name) if part)

    @property
    def system(self) -> System:
        """The organ's system, or that of the finding's own region."""
        concept = lexicon().concepts.get(self.name)
        return lexicon().system(self.organ or (concept.region if concept else None))

    @property
    def is_partial(self) -> bool:
        """True for a denial with an exception (`otherwise clear`, `no other nodule`)."""
        return OTHER in self.limits

    @property
    def region(self) -> str | None:
        """Where it is: its organ, or the region it has by itself."""
        concept = lexicon().concepts.get(self.name)
        return self.organ or (concept.region if concept else None)

    @property
    def makes_abnormal(self) -> bool:
        """True for a present finding that is no device or trace of treatment."""
        concept = lexicon().concepts.get(self.name)
        return self.polarity is Expected.YES and not (concept and concept.is_device)

    @property
    def is_normality(self) -> bool:
        """True when it says that a region is without abnormality."""
        return self.name == ABNORMALITY and self.polarity is Expected.NO

    def key(self) -> tuple[object, ...]:
        """What makes two mentions in one report the same finding."""
        return (self.name, self.organ, self.side, self.level, self.polarity, self.limits)

    def with_values(self, more: tuple[Described, ...]) -> "Finding":
        """Give the finding with further values; those it has already are not repeated."""
        known = {(d.facet, d.value) for d in self.described}
        return replace(self, described=(*self.described, *(d for d in more if (d.facet, d.value) not in known)))


def measure_mm(text: str) -> tuple[float, ...]:
    """Give the lengths of the first measurement in mm, largest first; empty when there is none."""
    match = _MEASURE.search(text.replace("×", "x"))
    if match is None:
        return ()
    factor = 10.0 if match[4].lower() == "cm" else 1.0
    return tuple(sorted((float(part) * factor for part in match.groups()[:3] if part), reverse=True))


def same_measure(first: str, second: str) -> bool | None:
    """Tell whether two measurements agree: their largest lengths differ by at most a tenth. None without both."""
    one, other = measure_mm(first), measure_mm(second)
    if not one or not other:
        return None
    return abs(one[0] - other[0]) <= _SAME_SIZE * max(one[0], other[0])
