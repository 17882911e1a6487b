import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.items import Level, Proposal, Side, Target, TargetResult
from core.errors import InvalidInput
from core.scoring.assign import resolve, with_pairs
from tests.scoring.builders import numbered, proposals


def matching_of(text: str, n_references: int, n_outputs: int):
    return resolve(proposals(text), numbered(n_references, Side.REFERENCE), numbered(n_outputs, Side.OUTPUT))


def pairs(matching):
    return {(m.reference_id, m.output_id, m.level.value) for m in matching.matches}


def kinds(matching):
    return sorted(note.kind for note in matching.notes)


def result_of(matching, n_references, n_outputs):
    return TargetResult(
        target=Target.FINAL_DIAGNOSIS,
        reference_items=numbered(n_references, Side.REFERENCE),
        output_items=numbered(n_outputs, Side.OUTPUT),
        matching=matching,
    )


def test_the_vector_of_the_manual():
    result = result_of(matching_of("S(R1,G1) L(R2,G3) X(R3,G2)", 3, 4), 3, 4)
    strict, lenient = result.counts(Level.STRICT), result.counts(Level.LENIENT)
    assert (strict.precision, strict.recall, strict.f1) == pytest.approx((0.25, 0.3333, 0.2857), abs=5e-5)
    assert (lenient.precision, lenient.recall, lenient.f1) == pytest.approx((0.5, 0.6667, 0.5714), abs=5e-5)
    assert [(m.reference_id, m.output_id) for m in result.matching.contradictions] == [("R3", "G2")]


def test_greedy_would_lose_a_pair():
    assert pairs(matching_of("L(R1,G1) L(R1,G2) L(R2,G1)", 2, 2)) == {("R1", "G2", "lenient"), ("R2", "G1", "lenient")}


def test_strict_first_is_kept_where_it_costs_pairs_and_the_tension_is_flagged():
    matching = matching_of("S(R1,G1) L(R1,G2) L(R2,G1)", 2, 2)
    assert pairs(matching) == {("R1", "G1", "strict")}
    assert "assignment_tension" in kinds(matching)
    assert "assignment_tension" not in kinds(matching_of("S(R1,G1) L(R2,G2)", 2, 2))


def test_unknown_and_swapped_ids_are_dropped_and_noted():
    matching = matching_of("S(R9,G1) S(G1,R1) L(R1,G2)", 2, 2)
    assert pairs(matching) == {("R1", "G2", "lenient")}
    assert kinds(matching) == ["unknown_id", "unknown_id"]
    assert "swapped" in matching.notes[1].detail


def test_repeated_pairs_collapse_and_strict_wins_over_lenient():
    matching = matching_of("L(R1,G1) L(R1,G1) S(R1,G1)", 1, 1)
    assert pairs(matching) == {("R1", "G1", "strict")}
    assert kinds(matching) == ["duplicate", "level_conflict"]


def test_a_pair_proposed_as_match_and_contradiction_is_no_match_and_flagged():
    matching = matching_of("S(R1,G1) X(R1,G1)", 1, 1)
    assert not matching.matches
    assert [(m.reference_id, m.output_id) for m in matching.contradictions] == [("R1", "G1")]
    assert kinds(matching) == ["contradiction_with_match"]


def test_a_contradiction_changes_no_count_and_annotates_only_unmatched_items():
    with_it = result_of(matching_of("S(R1,G1) X(R1,G2) X(R2,G2)", 2, 2), 2, 2)
    without = result_of(matching_of("S(R1,G1)", 2, 2), 2, 2)
    assert with_it.counts(Level.LENIENT) == without.counts(Level.LENIENT)
    assert [(m.reference_id, m.output_id) for m in with_it.matching.contradictions] == [("R2", "G2")]
    assert kinds(with_it.matching) == ["not_chosen"]


def test_the_earlier_proposal_wins_among_equals():
    assert pairs(matching_of("L(R1,G2) L(R1,G1)", 1, 2)) == {("R1", "G2", "lenient")}
    assert pairs(matching_of("L(R1,G1) L(R1,G2)", 1, 2)) == {("R1", "G1", "lenient")}


@pytest.mark.parametrize(("n_references", "n_outputs"), [(0, 0), (0, 3), (3, 0)])
def test_empty_sides_have_no_matches(n_references, n_outputs):
    matching = matching_of("S(R1,G1)", n_references, n_outputs)
    assert not matching.matches and kinds(matching) == ["unknown_id"]


def test_the_seed_is_stored_and_changes_nothing():
    sides = numbered(2, Side.REFERENCE), numbered(2, Side.OUTPUT)
    one, other = (resolve(proposals("L(R1,G1) S(R2,G2)"), *sides, seed=seed) for seed in (1, 2))
    assert one.matches == other.matches and (one.seed, other.seed) == (1, 2)


def test_two_items_with_one_id_are_refused():
    twice = (*numbered(1, Side.REFERENCE), *numbered(1, Side.REFERENCE))
    with pytest.raises(InvalidInput):
        resolve([], twice, ())


proposal_lists = st.lists(
    st.builds(
        Proposal,
        reference_id=st.integers(0, 7).map(lambda n: f"R{n}"),
        output_id=st.integers(0, 7).map(lambda n: f"G{n}"),
        level=st.sampled_from(list(Level)),
    ),
    max_size=30,
)
SIDES = numbered(6, Side.REFERENCE), numbered(5, Side.OUTPUT)


def totals(matching):
    return sum(m.level is Level.STRICT for m in matching.matches), len(matching.matches)


def greedy_totals(proposed):
    contradicted = {(p.reference_id, p.output_id) for p in proposed if p.level is Level.CONTRADICTION}
    known = {item.id for item in SIDES[0]}, {item.id for item in SIDES[1]}
    used, strict, total = set(), 0, 0
    for level in (Level.STRICT, Level.LENIENT):
        for p in proposed:
            key = p.reference_id, p.output_id
            if p.level is level and key not in contradicted and key[0] in known[0] and key[1] in known[1]:
                if not used & set(key):
                    used |= set(key)
                    strict, total = strict + (level is Level.STRICT), total + 1
    return strict, total


@given(proposal_lists)
@settings(deadline=None)
def test_totals_are_conserved(proposed):
    result = TargetResult(
        target=Target.FINAL_DIAGNOSIS,
        reference_items=SIDES[0],
        output_items=SIDES[1],
        matching=resolve(proposed, *SIDES),
    )
    for level in (Level.STRICT, Level.LENIENT):
        found = result.counts(level)
        assert found.tp + found.fn == 6 and found.tp + found.fp == 5
    free = {m.reference_id for m in result.matching.contradictions} & {m.reference_id for m in result.matching.matches}
    assert not free


@given(proposal_lists)
@settings(deadline=None)
def test_never_worse_than_greedy_in_strict_pairs_then_pairs(proposed):
    assert totals(resolve(proposed, *SIDES)) >= greedy_totals(proposed)


@given(proposal_lists, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_proposals_changes_no_total(proposed, shuffler):
    other = list(proposed)
    shuffler.shuffle(other)
    assert totals(resolve(proposed, *SIDES)) == totals(resolve(other, *SIDES))


@given(proposal_lists)
@settings(deadline=None)
def test_pairs_are_determined_by_the_order_of_proposals(proposed):
    assert resolve(proposed, *SIDES) == resolve(list(proposed), *SIDES)


@given(proposal_lists)
@settings(deadline=None)
def test_resolving_the_result_again_changes_nothing(proposed):
    first = resolve(proposed, *SIDES)
    again = [Proposal(**dict(match)) for match in (*first.matches, *first.contradictions)]
    second = resolve(again, *SIDES)
    assert second.matches == first.matches and set(second.contradictions) == set(first.contradictions)
    assert second.notes == ()


def test_two_hundred_by_two_hundred_items_are_resolved_one_to_one():
    draw = random.Random(0)
    sides = numbered(200, Side.REFERENCE), numbered(200, Side.OUTPUT)
    proposed = [
        Proposal(
            reference_id=f"R{draw.randint(1, 200)}",
            output_id=f"G{draw.randint(1, 200)}",
            level=draw.choice(list(Level)),
        )
        for _ in range(2000)
    ]
    matching = resolve(proposed, *sides)
    used = [(m.reference_id, m.output_id) for m in matching.matches]
    assert len({r for r, _ in used}) == len({g for _, g in used}) == len(used) > 150


def test_a_persons_pairs_replace_the_machines_and_are_refused_when_they_clash():
    machine = result_of(matching_of("S(R1,G1)", 2, 2), 2, 2)
    edited = with_pairs(machine, proposals("L(R2,G1)"))
    assert pairs(edited.matching) == {("R2", "G1", "lenient")}
    assert edited.counts(Level.LENIENT).tp == 1 and edited.counts(Level.LENIENT).fn == 1
    with pytest.raises(InvalidInput):
        with_pairs(machine, proposals("L(R1,G1) L(R2,G1)"))
    with pytest.raises(InvalidInput):
        with_pairs(machine, proposals("L(R7,G1)"))
