"""The rules baseline for matching: words, guards and containment; no knowledge of medicine beyond spelling."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.domain.items import Item, Level, Proposal, Target
from core.domain.record import PromptRef
from core.language.guards import CONTRADICTING_AXES, conflicting_axes, guard_tokens, similarity
from core.language.terms import content_stems, expand_abbreviations, normalise
from core.scoring.match import Proposals
from core.scoring.word_weights import UNITS, WordWeights

STRICT_SIMILARITY = 0.9
STRICT_OVERLAP = 0.85
LENIENT_CONTAINMENT = 0.6
LENIENT_CONTAINMENT_OF_DIAGNOSES = 0.75
LENIENT_OVERLAP = 0.25
LENIENT_OVERLAP_OF_SHORT = 0.4
SHORT = 3
CONTRADICTION_OVERLAP = 0.6
PLAIN_CONTRADICTION = 0.85


class _Prepared(NamedTuple):
    """An item made comparable: its text with abbreviations expanded, its identity, its stems."""

    item: Item
    text: str
    key: str
    stems: frozenset[str]


class _Judged(NamedTuple):
    """What two items are to each other: level, closeness 0-1 within the level, and why."""

    level: Level
    closeness: float
    reason: str


class _Found(NamedTuple):
    reference: int
    output: int
    judged: _Judged


_RANK = {Level.STRICT: 0, Level.LENIENT: 1, Level.CONTRADICTION: 2}


def _prepare(item: Item, abbreviations: Mapping[str, str]) -> _Prepared:
    text = expand_abbreviations(item.text, abbreviations)
    words = content_stems(text)
    # Numbers and their units are guard tokens: 8 cm and 80 mm are the same although the words differ.
    stems = frozenset(word for word in words if not word[0].isdigit() and word not in UNITS) or frozenset(words)
    return _Prepared(item, text, normalise(text), stems)


class RulesMatcher:
    """Pairs items by their words; the same items always give the same pairs, in whatever order they come.

    Strict: the same normalised text, the same set of word families, or near-identical strings, with equal guard tokens.
    Lenient: no guard and no organ in conflict, at least one word shared that names a finding (not only a place, a
    grade, an organ, a broad category, or what the whole text is about), and most of the weight of the shorter item in
    the longer one. Contradiction: the same words but for a side, level, polarity, hyper- / hypo-, number, course,
    amount or result that excludes the other. An item that answers another one does not contradict a third; and an item
    that plainly contradicts one is not leniently matched with a less close one.
    """

    name = "rules baseline"
    engine = "rules"
    prompts: tuple[PromptRef, ...] = ()

    def propose(
        self,
        references: Sequence[Item],
        outputs: Sequence[Item],
        *,
        target: Target,
        seed: int = 0,
        subject: str = "",
        abbreviations: Mapping[str, str] | None = None,
    ) -> Proposals:
        """Give pairs (see Matcher), the closest first; never unscored. The seed changes nothing here."""
        ours = [_prepare(item, abbreviations or {}) for item in references]
        theirs = [_prepare(item, abbreviations or {}) for item in outputs]
        weights = WordWeights((p.stems for p in ours), (p.stems for p in theirs))
        by_word: dict[str, list[int]] = {}
        for at, output in enumerate(theirs):
            for word in {*output.stems, output.key}:
                by_word.setdefault(word, []).append(at)
        found = []
        for at, reference in enumerate(ours):
            for other in {o for word in {*reference.stems, reference.key} for o in by_word.get(word, ())}:
                judged = _compare(reference, theirs[other], weights, target)
                if judged is not None:
                    found.append(_Found(at, other, judged))
        found.sort(key=lambda f: (_RANK[f.judged.level], -f.judged.closeness, f.reference, f.output))
        return Proposals(
            proposals=tuple(
                Proposal(
                    reference_id=ours[f.reference].item.id,
                    output_id=theirs[f.output].item.id,
                    level=f.judged.level,
                    reason=f.judged.reason,
                )
                for f in _settle_contradictions(found)
            ),
            seed=seed,
        )


def _compare(reference: _Prepared, output: _Prepared, weights: WordWeights, target: Target) -> _Judged | None:
    if reference.key == output.key:
        return _Judged(Level.STRICT, 1.0, "same wording")
    shared = reference.stems & output.stems
    smaller = min(weights.total(reference.stems), weights.total(output.stems))
    if not shared or not smaller:
        return None
    shared_weight = weights.total(shared)
    overlap, containment = shared_weight / weights.total(reference.stems | output.stems), shared_weight / smaller
    if guard_tokens(reference.text) == guard_tokens(output.text):
        if reference.stems == output.stems:
            return _Judged(Level.STRICT, 0.95, "same words in another form or order")
        if overlap >= STRICT_OVERLAP or similarity(reference.text, output.text) >= STRICT_SIMILARITY:
            return _Judged(Level.STRICT, overlap * 0.9, "nearly the same words")
    clashes = conflicting_axes(reference.text, output.text)
    axes = [axis for axis in clashes if axis in CONTRADICTING_AXES]
    if axes:
        rest = _overlap_without_guards(reference, output)
        is_pair = rest >= CONTRADICTION_OVERLAP
        return _Judged(Level.CONTRADICTION, rest, f"differs in {', '.join(axes)}") if is_pair else None
    needed = LENIENT_CONTAINMENT_OF_DIAGNOSES if target is Target.FINAL_DIAGNOSIS else LENIENT_CONTAINMENT
    if "organ" in clashes or not weights.name_a_finding(shared) or containment < needed:
        return None
    if overlap < (LENIENT_OVERLAP if len(shared) > SHORT else LENIENT_OVERLAP_OF_SHORT):
        return None
    return _Judged(Level.LENIENT, (containment + overlap) / 2, f"same core, {_what_differs(reference, output)}")


def _overlap_without_guards(reference: _Prepared, output: _Prepared) -> float:
    """Give the overlap of the words that no guard axis speaks of, rival prefixes (hyper-, hypo-) as the same word.

    How often a word stands in other items does not count here: an opposite is one in whatever company.
    """
    weights = WordWeights()

    def bare(prepared: _Prepared) -> frozenset[str]:
        words = set()
        for word in prepared.stems:
            for prefix in ("hyper", "hypo", "non", "brady", "tachy"):
                word = word.removeprefix(prefix) if len(word) > len(prefix) + 3 else word
            if not weights.is_placing(word):
                words.add(word)
        return frozenset(words)

    one, other = bare(reference), bare(output)
    if not weights.name_a_finding(one & other):
        return 0.0
    return weights.total(one & other) / weights.total(one | other)


def _what_differs(reference: _Prepared, output: _Prepared) -> str:
    ours, theirs = guard_tokens(reference.text), guard_tokens(output.text)
    differing = sorted(axis for axis in set(ours) | set(theirs) if ours.get(axis) != theirs.get(axis))
    if differing:
        return f"{', '.join(differing)} not stated alike"
    if reference.stems <= output.stems:
        return "the output says more"
    return "the output says less" if output.stems <= reference.stems else "worded differently"


def _settle_contradictions(found: Sequence[_Found]) -> list[_Found]:
    plain: dict[tuple[str, int], float] = {}
    strict = {end for f in found if f.judged.level is Level.STRICT for end in _ends(f)}
    for f in found:
        is_plain = f.judged.level is Level.CONTRADICTION and f.judged.closeness >= PLAIN_CONTRADICTION
        if is_plain and not strict & set(_ends(f)):
            for end in _ends(f):
                plain[end] = max(plain.get(end, 0.0), f.judged.closeness)
    kept = [
        f
        for f in found
        if f.judged.level is not Level.LENIENT or all(f.judged.closeness >= plain.get(end, 0.0) for end in _ends(f))
    ]
    matched = {end for f in kept if f.judged.level is not Level.CONTRADICTION for end in _ends(f)}
    return [f for f in kept if f.judged.level is not Level.CONTRADICTION or not matched & set(_ends(f))]


def _ends(found: _Found) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("reference", found.reference), ("output", found.output)
