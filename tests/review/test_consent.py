import pytest

from core.domain.instrument import Dimension
from core.domain.review import ReviewMode
from core.domain.review_design import ConsentStep
from core.errors import InvalidInput, NotAllowed
from core.services import consent, rating_entry, review, review_rows, studies
from tests.conftest import NOW
from tests.review.example import store_example


@pytest.fixture
def rated(workspace):
    """A reviewer who has committed one of two dialogues."""
    who = studies.add_reviewer(workspace, "Dr Alpha", role="resident")
    study = studies.create_study(
        workspace, "Pilot", ReviewMode.BLINDED, store_example(workspace), [who.id], order_seed=1
    )
    first, second = studies.assignments_of(workspace, study.id)
    turns = {n: {"supported": "yes", "comment": "short"} for n in (1, 2, 3, 4)}
    rating_entry.enter_ratings(workspace, first, turns, {d.value: 4 for d in Dimension} | {"safety": "none"})
    return who, second


def test_consent_is_asked_once_for_each_version_of_the_text(workspace) -> None:
    who = studies.add_reviewer(workspace, "Dr Alpha")
    assert consent.must_consent(workspace, who.id)
    consent.give_consent(workspace, who.id, at=NOW)
    assert not consent.must_consent(workspace, who.id)
    made_up = studies.add_reviewer(workspace, "Demo", is_demonstration=True)
    assert not consent.must_consent(workspace, made_up.id)


def test_who_withdrew_enters_nothing_more_and_the_ratings_stay_until_the_lead_decides(workspace, rated) -> None:
    who, second = rated
    consent.give_consent(workspace, who.id, at=NOW)
    consent.withdraw(workspace, who.id, "no time", at=NOW)
    with pytest.raises(NotAllowed, match="withdrawn"):
        review.review_view(workspace, who.id, second.id)
    with pytest.raises(NotAllowed, match="withdrawn"):
        rating_entry.enter_drafts(workspace, second, 1, {"supported": "yes"})
    (entry,) = consent.withdrawals(workspace)
    assert (entry.name, entry.reason, entry.decision, entry.n_ratings) == ("Dr Alpha", "no time", None, 5)
    assert len(review_rows.committed_ratings(workspace)) == 5


def test_ratings_the_lead_leaves_out_are_counted_and_in_no_row_and_come_back_when_kept(workspace, rated) -> None:
    who, _ = rated
    with pytest.raises(InvalidInput, match="has not withdrawn"):
        consent.decide(workspace, who.id, keeps=False, reason="asked for")
    consent.withdraw(workspace, who.id, at=NOW)
    consent.decide(workspace, who.id, keeps=False, reason="asked for", at=NOW)
    assert review_rows.committed_ratings(workspace) == []
    assert review_rows.committed_turn_answers(workspace) == []
    (entry,) = consent.withdrawals(workspace)
    assert (entry.decision, entry.n_ratings) == (ConsentStep.EXCLUDED, 5)
    consent.decide(workspace, who.id, keeps=True, reason="agreed after all", at=NOW)
    assert len(review_rows.committed_ratings(workspace)) == 5
    events = [(e.what, e.reason) for e in review_rows.review_events(workspace)]
    assert ("ratings excluded", "asked for") in events and ("ratings kept", "agreed after all") in events
