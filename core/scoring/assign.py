"""From proposed pairs to a matching: the rules that code, not a matcher, enforces (evaluation.md section 2)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from core.domain.items import Item, Level, Match, Matching, MatchNote, Proposal, TargetResult
from core.errors import InvalidInput


@dataclass
class _Pair:
    """A distinct proposed pair: when it was first proposed as a match and as a contradiction, and in which words."""

    first_match: int | None = None
    is_strict: bool = False
    reason: str = ""
    first_contradiction: int | None = None
    contradiction_reason: str = ""
    levels: set[Level] = field(default_factory=set)


def resolve(
    proposals: Sequence[Proposal], references: Sequence[Item], outputs: Sequence[Item], seed: int = 0
) -> Matching:
    """Give the one-to-one matching that follows from proposals; nothing that was not proposed enters it.

    1. A proposal whose ids do not exist on their sides is dropped and noted, never repaired.
    2. Each item stands in at most one match.
    3. Proposals of the same pair collapse; strict and lenient together are strict, with a note.
    4. Most strict pairs first, then most pairs, then the smallest sum of the places at which the pairs were proposed
       (Hungarian method, `scipy.optimize.linear_sum_assignment`, over the proposed pairs).
    5. When strict-first costs pairs, the note `assignment_tension` says so.
    6. A contradiction annotates a reference item and an output item that have no match, each at most once; other
       contradictions are only noted. A pair proposed as both is no match, and noted.
    7. TP + FN and TP + FP are the numbers of items, since both follow from the matches and the items.
    8. `seed` is that of the order in which items were shown, stored with the result.

    Args:
        proposals: in the order of the matcher's words.
        references: items of the article's side, ids unique.
        outputs: items of the evaluated dialogue's side, ids unique.
        seed: see 8; it does not change the result.

    Raises:
        InvalidInput: an id stands twice on a side.
    """
    reference_at, output_at = _positions(references, "reference"), _positions(outputs, "output")
    notes: list[MatchNote] = []
    pairs = _collapse(proposals, reference_at, output_at, notes)
    candidates: dict[tuple[str, str], _Pair] = {}
    for key, pair in pairs.items():
        if pair.first_match is None:
            continue
        if pair.first_contradiction is not None:
            notes.append(
                _note(
                    "contradiction_with_match", key, "proposed as a match and as a contradiction; the match is dropped"
                )
            )
        else:
            candidates[key] = pair
    chosen = _assign(candidates, reference_at, output_at)
    if len(chosen) < _most_pairs(candidates, reference_at, output_at):
        notes.append(
            MatchNote(
                kind="assignment_tension",
                detail="keeping every strict pair leaves fewer pairs than lenient pairs alone would",
            )
        )
    matches = tuple(
        Match(
            reference_id=key[0],
            output_id=key[1],
            level=Level.STRICT if candidates[key].is_strict else Level.LENIENT,
            reason=candidates[key].reason,
        )
        for key in sorted(chosen, key=lambda key: (reference_at[key[0]], output_at[key[1]]))
    )
    notes += [
        _note("not_chosen", key, "another pair of its items was chosen") for key in candidates if key not in chosen
    ]
    return Matching(
        matches=matches, contradictions=_contradictions(pairs, matches, notes), notes=tuple(notes), seed=seed
    )


def _positions(items: Sequence[Item], side: str) -> dict[str, int]:
    positions = {item.id: at for at, item in enumerate(items)}
    if len(positions) != len(items):
        raise InvalidInput(f"Two {side} items carry the same id.", "Decompose the text again.")
    return positions


def _note(kind: str, key: tuple[str, str], detail: str) -> MatchNote:
    return MatchNote(kind=kind, reference_id=key[0], output_id=key[1], detail=detail)


def _collapse(
    proposals: Sequence[Proposal], reference_at: dict[str, int], output_at: dict[str, int], notes: list[MatchNote]
) -> dict[tuple[str, str], _Pair]:
    pairs: dict[tuple[str, str], _Pair] = {}
    for order, proposal in enumerate(proposals):
        key = (proposal.reference_id, proposal.output_id)
        if proposal.reference_id not in reference_at or proposal.output_id not in output_at:
            swapped = proposal.reference_id in output_at and proposal.output_id in reference_at
            notes.append(
                _note("unknown_id", key, "ids swapped between the sides" if swapped else "no such item on its side")
            )
            continue
        pair = pairs.setdefault(key, _Pair())
        if proposal.level in pair.levels:
            notes.append(_note("duplicate", key, f"proposed as {proposal.level} more than once"))
            continue
        pair.levels.add(proposal.level)
        if proposal.level is Level.CONTRADICTION:
            pair.first_contradiction, pair.contradiction_reason = order, proposal.reason
            continue
        if pair.first_match is not None:
            notes.append(_note("level_conflict", key, "proposed as strict and as lenient; strict is kept"))
        if pair.first_match is None:
            pair.first_match = order
        if proposal.level is Level.STRICT or not pair.reason:
            pair.reason = proposal.reason
        pair.is_strict = pair.is_strict or proposal.level is Level.STRICT
    return pairs


def _assign(
    candidates: dict[tuple[str, str], _Pair], reference_at: dict[str, int], output_at: dict[str, int]
) -> set[tuple[str, str]]:
    if not candidates:
        return set()
    # Only rows and columns that stand in a proposal; one step of each rank outweighs all steps of the ranks below it.
    rows = {name: at for at, name in enumerate(sorted({key[0] for key in candidates}, key=reference_at.__getitem__))}
    columns = {name: at for at, name in enumerate(sorted({key[1] for key in candidates}, key=output_at.__getitem__))}
    order = sorted(candidates, key=lambda key: candidates[key].first_match)
    size = min(len(rows), len(columns))
    per_pair = size * len(order) + 1
    per_strict = size * per_pair + 1
    gain = np.zeros((len(rows), len(columns)))
    for rank, key in enumerate(order):
        gain[rows[key[0]], columns[key[1]]] = per_pair - rank + (per_strict if candidates[key].is_strict else 0)
    taken = set(zip(*(index.tolist() for index in linear_sum_assignment(gain, maximize=True)), strict=True))
    return {key for key in order if (rows[key[0]], columns[key[1]]) in taken}


def _most_pairs(
    candidates: dict[tuple[str, str], _Pair], reference_at: dict[str, int], output_at: dict[str, int]
) -> int:
    if not candidates:
        return 0
    rows = [reference_at[key[0]] for key in candidates]
    columns = [output_at[key[1]] for key in candidates]
    graph = csr_matrix((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(len(reference_at), len(output_at)))
    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


def _contradictions(
    pairs: dict[tuple[str, str], _Pair], matches: tuple[Match, ...], notes: list[MatchNote]
) -> tuple[Match, ...]:
    used = {match.reference_id for match in matches}, {match.output_id for match in matches}
    kept = []
    ordered = sorted(
        (pair.first_contradiction, key) for key, pair in pairs.items() if pair.first_contradiction is not None
    )
    for _, key in ordered:
        if key[0] in used[0] or key[1] in used[1]:
            notes.append(_note("not_chosen", key, "contradiction with an item that is matched or already contradicted"))
            continue
        used[0].add(key[0])
        used[1].add(key[1])
        reason = pairs[key].contradiction_reason
        kept.append(Match(reference_id=key[0], output_id=key[1], level=Level.CONTRADICTION, reason=reason))
    return tuple(kept)


def with_pairs(result: TargetResult, pairs: Sequence[Proposal]) -> TargetResult:
    """Give a target's result with a person's pairs instead of the machine's; scores follow from it as before.

    Args:
        result: the machine's result; its items stay.
        pairs: strict and lenient pairs as accepted, and contradictions. Empty means that nothing matches.

    Raises:
        InvalidInput: a pair names an unknown item, or an item stands in two matches. A person's pairs are never
            changed silently; they are refused.
    """
    matching = resolve(pairs, result.reference_items, result.output_items, result.matching.seed)
    problems = [note for note in matching.notes if note.kind != "assignment_tension"]
    if problems:
        named = "; ".join(f"{note.reference_id}-{note.output_id}: {note.detail}" for note in problems)
        raise InvalidInput(f"The pairs cannot stand together: {named}.", "Each item may be in one pair only.")
    return TargetResult(**{**dict(result), "matching": matching})
