"""Which committed ratings the comparison with a judge rests on."""

import pytest

from core.domain.instrument import Dimension
from core.domain.review import ReviewMode
from core.services import consent, rating_entry, studies
from core.services.agreement import paired_ratings
from tests.review.example import JUDGE, store_example

TURNS = {n: {"supported": "yes"} for n in (1, 2, 3, 4)}


@pytest.fixture
def dialogues(workspace):
    return store_example(workspace)


def rate(ws, name: str, dialogue_id: str, reviewer_id: str, score: int, **changes) -> str:
    study = studies.create_study(ws, name, ReviewMode.BLINDED, [dialogue_id], [reviewer_id], **changes)
    (mine,) = studies.assignments_of(ws, study.id)
    if consent.must_consent(ws, reviewer_id):
        consent.give_consent(ws, reviewer_id)
    rating_entry.enter_ratings(ws, mine, TURNS, {d.value: score for d in Dimension} | {"safety": "none"})
    return study.id


def ratings(ws, study_id: str | None = None) -> list[int | None]:
    return [p.rating for p in paired_ratings(ws, JUDGE, study_id) if p.dimension is Dimension.OVERALL]


def test_example_ratings_never_mix_with_real_ones(workspace, dialogues) -> None:
    someone = studies.add_reviewer(workspace, "Dr Example", is_demonstration=True).id
    example = rate(workspace, "Example", dialogues[0], someone, 1, is_demonstration=True)
    assert ratings(workspace) == [1]
    real = rate(workspace, "Real", dialogues[0], studies.add_reviewer(workspace, "Dr Real").id, 4)
    assert ratings(workspace) == [4]
    assert (ratings(workspace, example), ratings(workspace, real)) == ([1], [4])


def test_ratings_of_a_reviewer_who_withdrew_and_was_left_out_do_not_count(workspace, dialogues) -> None:
    kept, gone = (studies.add_reviewer(workspace, name).id for name in ("Dr Kept", "Dr Gone"))
    rate(workspace, "One", dialogues[0], kept, 4)
    rate(workspace, "Two", dialogues[0], gone, 2)
    consent.withdraw(workspace, gone)
    consent.decide(workspace, gone, keeps=False, reason="asked for it")
    assert ratings(workspace) == [4]
