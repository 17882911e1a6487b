"""The rules baseline for matching: words, guards and containment; no knowledge of medicine beyond spelling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.items import Item, Level, Proposal, Target
from core.domain.record import PromptRef
from core.language.guards import CONTRADICTING_AXES, conflicting_axes, guard_tokens, similarity
from core.language.terms import content_stems, expand_abbreviations, normalise, stem
from core.scoring.match import Proposals

STRICT_SIMILARITY = 0.9
STRICT_OVERLAP = 0.85
LENIENT_CONTAINMENT = 0.6
LENIENT_OVERLAP = 0.25
LENIENT_OVERLAP_OF_SHORT = 0.4
CONTRADICTION_OVERLAP = 0.6

# Words that place or grade a finding but do not name one: sharing them alone is never a match.
_PLACING = (
    "left right bilateral unilateral upper lower middle anterior posterior medial lateral proximal distal "
    "superior inferior mild moderate severe acute chronic large small multiple diffuse focal extensive marked "
    "slight normal increased decreased elevated raised low high positive negative t1 t2 t1w t2w flair dwi adc "
    "size area region side level lobe zone wall part"
)
_BROAD = (
    "disease disorder syndrome condition infection inflammation tumor neoplasm cancer carcinoma "
    "malignancy abnormality process change involvement injury failure cell tissue test result "
    "examination biopsy ct mri scan radiograph ultrasound history symptom pain age woman man male female "
    "clinical diagnostic primary secondary"
)
_ORGANS = (
    "lung pulmonary pleura pleural liver hepatic kidney renal heart cardiac myocardial brain cerebral spleen "
    "pancreas stomach gastric colon bowel intestine intestinal skin cutaneous bone eye retina retinal uterus "
    "ovary breast thyroid pituitary abdomen abdominal chest thorax head neck hand wrist foot leg arm knee hip "
    "spine blood serum"
)
_UNITS = frozenset("mm cm m mg g kg ml l % percent minut second hour ms".split())
_SHAPES = "mass lesion opacity structure swelling growth"
NAMES_A_FINDING = 0.6
_WEIGHTS = {
    **{stem(word): 0.4 for word in _ORGANS.split()},
    **{stem(word): 0.35 for word in _BROAD.split()},
    **{stem(word): NAMES_A_FINDING for word in _SHAPES.split()},
    **{stem(word): 0.2 for word in _PLACING.split()},
}


@dataclass(frozen=True)
class _Prepared:
    item: Item
    text: str
    key: str
    stems: frozenset[str]
    weight: float


def _weigh(stems: frozenset[str]) -> float:
    return sum(0.2 if word[0].isdigit() else _WEIGHTS.get(word, 1.0) for word in stems)


def _names_a_finding(stems: frozenset[str]) -> bool:
    """True when a word says what is found, and not only where, how much, or of which broad category."""
    return any(_WEIGHTS.get(word, 1.0) >= NAMES_A_FINDING and not word[0].isdigit() for word in stems)


def _prepare(item: Item, abbreviations: Mapping[str, str]) -> _Prepared:
    text = expand_abbreviations(item.text, abbreviations)
    words = content_stems(text)
    # Numbers and their units are guard tokens: 8 cm and 80 mm are the same although the words differ.
    stems = frozenset(word for word in words if not word[0].isdigit() and word not in _UNITS) or frozenset(words)
    return _Prepared(item, text, normalise(text), stems, _weigh(stems))


class RulesMatcher:
    """Pairs items by their words; the same items always give the same pairs, in whatever order they come.

    Strict: the same normalised text, the same set of word families, or near-identical strings, with equal guard tokens.
    Lenient: no guard and no organ in conflict, at least one word shared that names a finding (not only a place, a
    grade, an organ or a broad category), and most of the weight of the shorter item in the longer one. Contradiction:
    the same words but for a side, level, polarity, hyper- / hypo-, number, course, amount or result that excludes the
    other; proposed only for items that have no better counterpart.
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
        """Give pairs (see Matcher), the best first; never unscored. The seed changes nothing here."""
        known = abbreviations or {}
        ours = [_prepare(item, known) for item in references]
        theirs = [_prepare(item, known) for item in outputs]
        by_stem: dict[str, list[int]] = {}
        for at, prepared in enumerate(theirs):
            for word in prepared.stems:
                by_stem.setdefault(word, []).append(at)
        found: list[tuple[float, int, int, Proposal]] = []
        for at, reference in enumerate(ours):
            near = {other for word in reference.stems for other in by_stem.get(word, ())}
            near |= {other for other, output in enumerate(theirs) if output.key == reference.key}
            for other in near:
                judged = compare_items(reference, theirs[other])
                if judged is not None:
                    level, score, reason = judged
                    pair = Proposal(
                        reference_id=reference.item.id, output_id=theirs[other].item.id, level=level, reason=reason
                    )
                    found.append((-score, at, other, pair))
        ordered = [pair for *_, pair in sorted(found, key=lambda entry: entry[:3])]
        return Proposals(proposals=tuple(_without_idle_contradictions(ordered)), seed=seed)


def compare_items(reference: _Prepared, output: _Prepared) -> tuple[Level, float, str] | None:
    """Give level, closeness (0-3, strict above lenient above contradiction) and reason; None when it is no pair."""
    if reference.key == output.key:
        return Level.STRICT, 3.0, "same wording"
    shared = reference.stems & output.stems
    shared_weight = _weigh(shared)
    union_weight = _weigh(reference.stems | output.stems)
    smaller = min(reference.weight, output.weight)
    if not shared or not union_weight or not smaller:
        return None
    overlap, containment = shared_weight / union_weight, shared_weight / smaller
    agree = guard_tokens(reference.text) == guard_tokens(output.text)
    if agree and reference.stems == output.stems:
        return Level.STRICT, 2.95, "same words in another form or order"
    if agree and (overlap >= STRICT_OVERLAP or similarity(reference.text, output.text) >= STRICT_SIMILARITY):
        return Level.STRICT, 2.0 + overlap * 0.9, "nearly the same words"
    clashes = conflicting_axes(reference.text, output.text)
    axes = [axis for axis in clashes if axis in CONTRADICTING_AXES]
    if axes:
        rest = _overlap_without_guards(reference, output)
        return (
            (Level.CONTRADICTION, rest * 0.9, f"differs in {', '.join(axes)}")
            if rest >= CONTRADICTION_OVERLAP
            else None
        )
    if (
        "organ" not in clashes
        and _names_a_finding(shared)
        and containment >= LENIENT_CONTAINMENT
        and overlap >= (LENIENT_OVERLAP if len(shared) > 3 else LENIENT_OVERLAP_OF_SHORT)
    ):
        missing = _what_differs(reference, output)
        return Level.LENIENT, 1.0 + (containment + overlap) * 0.49, f"same core{missing}"
    return None


def _overlap_without_guards(reference: _Prepared, output: _Prepared) -> float:
    """Overlap of the words that no guard axis speaks of, counting rival prefixes (hyper-, hypo-) as the same word."""

    def bare(prepared: _Prepared) -> frozenset[str]:
        words = set()
        for word in prepared.stems:
            for prefix in ("hyper", "hypo", "non", "brady", "tachy"):
                word = word.removeprefix(prefix) if len(word) > len(prefix) + 3 else word
            if _WEIGHTS.get(word, 1.0) > 0.2 and not word[0].isdigit():
                words.add(word)
        return frozenset(words)

    one, other = bare(reference), bare(output)
    if not _names_a_finding(one & other):
        return 0.0
    return _weigh(one & other) / _weigh(one | other)


def _what_differs(reference: _Prepared, output: _Prepared) -> str:
    ours, theirs = guard_tokens(reference.text), guard_tokens(output.text)
    differing = sorted(axis for axis in set(ours) | set(theirs) if ours.get(axis) != theirs.get(axis))
    if differing:
        return f", {', '.join(differing)} not stated alike"
    if reference.stems <= output.stems:
        return ", the output says more"
    if output.stems <= reference.stems:
        return ", the output says less"
    return ", worded differently"


def _without_idle_contradictions(pairs: list[Proposal]) -> list[Proposal]:
    """Leave out contradictions of items that also have a match proposed: `left` answers `left`, not `right`."""
    matched = {
        name
        for pair in pairs
        if pair.level is not Level.CONTRADICTION
        for name in (("R", pair.reference_id), ("G", pair.output_id))
    }
    return [
        pair
        for pair in pairs
        if pair.level is not Level.CONTRADICTION or not ({("R", pair.reference_id), ("G", pair.output_id)} & matched)
    ]
