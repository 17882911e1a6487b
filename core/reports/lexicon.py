"""The words of the rules baseline: regions, findings and facet values, found in tokens by longest match."""

import hashlib
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.domain.reports import Facet, System
from core.language.terms import Token, american, tokenise

_FILE = Path(__file__).with_name("lexicon.toml")
ARTICLES = frozenset({"the", "a", "an"})
ABNORMALITY = "abnormality"
# Describing words that share a stem with a finding: a nodular opacity is no nodule, a cystic mass no cyst.
_DESCRIBING = frozenset("nodular calcified cystic ulcerated cortical apical invasive".split())


class Hit(NamedTuple):
    """A phrase found: tokens `first` up to, not including, `after`."""

    label: str
    first: int
    after: int


class PhraseIndex:
    """Phrases by their first word; `find` gives the longest ones, left to right, without overlap.

    Args:
        phrases: (phrase, label) pairs.
        is_stemmed: compare word stems (findings, regions), else words in one spelling (facet values).
    """

    def __init__(self, phrases: Iterable[tuple[str, str]], *, is_stemmed: bool) -> None:
        self._is_stemmed = is_stemmed
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, label in phrases:
            words = tuple(self._key(token) for token in tokenise(phrase) if token.word not in ARTICLES)
            self._by_first.setdefault(words[0], []).append((words, label))
        for entries in self._by_first.values():
            entries.sort(key=lambda entry: -len(entry[0]))

    def _key(self, token: Token) -> str:
        return token.stem if self._is_stemmed and token.word not in _DESCRIBING else american(token.word)

    def find(self, tokens: Sequence[Token]) -> list[Hit]:
        """Give the phrases among tokens from which articles were left out."""
        keys = [self._key(token) for token in tokens]
        hits, at = [], 0
        while at < len(keys):
            for words, label in self._by_first.get(keys[at], ()):
                if tuple(keys[at : at + len(words)]) == words:
                    hits.append(Hit(label, at, at + len(words)))
                    at += len(words)
                    break
            else:
                at += 1
        return hits


@dataclass(frozen=True)
class Region:
    """A part of the body: its system, and the larger region that a statement about it also covers."""

    name: str
    system: System
    within: str | None = None


@dataclass(frozen=True)
class Concept:
    """A finding of the lexicon.

    Attributes:
        name: normalised name.
        region: where it is by itself; None when it takes the organ named beside it.
        broader: the finding that is also present when this one is.
        is_device: a device or trace of treatment, which makes no region abnormal.
    """

    name: str
    region: str | None = None
    broader: str | None = None
    is_device: bool = False


@dataclass(frozen=True)
class Lexicon:
    """All words, with an index for each kind; `sha256` is the hash of the file they were read from."""

    sha256: str
    regions: dict[str, Region]
    concepts: dict[str, Concept]
    joined: dict[str, str]
    exclusive: frozenset[Facet]
    opposites: frozenset[frozenset[str]]
    region_index: PhraseIndex
    concept_index: PhraseIndex
    normal_index: PhraseIndex
    value_index: PhraseIndex
    facet_of: dict[str, Facet] = field(default_factory=dict)

    def covers(self, region: str | None, other: str | None) -> bool:
        """True when `other` is the region or lies within it."""
        while other is not None and other != region:
            other = self.regions[other].within if other in self.regions else None
        return other is not None

    def system(self, region: str | None) -> System:
        """Give a region's system; other when it is unknown."""
        return self.regions[region].system if region in self.regions else System.OTHER

    def is_opposite(self, first: str, second: str) -> bool:
        """True when two values of one facet cannot both be true."""
        if first == second:
            return False
        facet = self.facet_of.get(first)
        same = facet is not None and facet is self.facet_of.get(second)
        return (same and facet in self.exclusive) or frozenset({first, second}) in self.opposites


@cache
def lexicon() -> Lexicon:
    """Give the lexicon, read once."""
    raw = _FILE.read_bytes()
    data = tomllib.loads(raw.decode("utf-8"))
    regions = {
        name: Region(name, System(entry["system"]), entry.get("within")) for name, entry in data["regions"].items()
    }
    concepts = {
        name: Concept(name, entry.get("region"), entry.get("broader"), entry.get("is_device", False))
        for name, entry in data["findings"].items()
    }
    findings = [(word, name) for name, entry in data["findings"].items() for word in (name, *entry["words"])]
    findings += [(word, ABNORMALITY) for word in data["abnormality"]["words"]]
    values, facet_of = [], {}
    for facet, entries in data["values"].items():
        for name, words in entries.items():
            if name != "exclusive":
                values += [(word, name) for word in words]
                facet_of[name] = Facet(facet)
    return Lexicon(
        sha256=hashlib.sha256(raw).hexdigest(),
        regions=regions,
        concepts={**concepts, ABNORMALITY: Concept(ABNORMALITY)},
        joined=data["joined"],
        exclusive=frozenset(Facet(facet) for facet, entries in data["values"].items() if entries["exclusive"]),
        opposites=frozenset(frozenset(pair) for pair in data["opposites"]["pairs"]),
        region_index=PhraseIndex(
            [(w, name) for name, entry in data["regions"].items() for w in (name, *entry["words"])], is_stemmed=True
        ),
        concept_index=PhraseIndex(findings, is_stemmed=True),
        normal_index=PhraseIndex([(word, word) for word in data["normal"]["words"]], is_stemmed=False),
        value_index=PhraseIndex(values, is_stemmed=False),
        facet_of=facet_of,
    )
