"""Which output item says what was called missing, and what differs."""

import pytest

from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.review import ReviewMode
from core.errors import InvalidInput
from core.services import rating_entry, review_reveal, review_rows, studies
from tests.review.example import store_example


@pytest.fixture
def committed(workspace):
    model, _ = store_example(workspace)
    who = studies.add_reviewer(workspace, "Dr Alpha")
    study = studies.create_study(workspace, "Pilot", ReviewMode.BLINDED, [model], [who.id], order_seed=1)
    (mine,) = studies.assignments_of(workspace, study.id)
    turns = {n: {"supported": "yes"} for n in (1, 2, 3, 4)}
    rating_entry.enter_ratings(workspace, mine, turns, {d.value: 4 for d in Dimension} | {"safety": "none"})

    def say(row: str, verdict: str, **named: str) -> None:
        which = (workspace, who.id, mine.id, "eval-1", Target.IMAGE_FINDINGS, "fig1", row, verdict)
        review_reveal.set_verdict(*which, **named)

    def shown():
        tables = review_reveal.reveal(workspace, who.id, mine.id).tables
        return next(t for t in tables if t.figure_id)

    return workspace, say, shown


def test_the_output_item_that_says_it_changes_the_numbers_and_is_exported(committed) -> None:
    workspace, say, shown = committed
    say("R3/-", "it is there")
    assert shown().f1_after == shown().f1
    say("R3/-", "it is there", output_id="G4", attribute="severity")
    # 3 pairs of 4 reference and 4 output items: F1 = 2*3 / 8.
    assert shown().f1_after == pytest.approx(6 / 8)
    row = next(r for r in shown().rows if r.row == "R3/-")
    assert (row.said_by, row.attribute) == ("G4", "severity")
    (verdict,) = review_rows.item_verdicts(workspace)
    assert (verdict["output_id"], verdict["attribute"]) == ("G4", "severity")
    events = [e.new for e in review_rows.review_events(workspace) if e.what.startswith("verdict")]
    assert events == ["it is there", "it is there, G4, severity"]


@pytest.mark.parametrize(
    ("verdict", "named"),
    [
        ("it is there", {"output_id": "G9"}),
        ("agree", {"output_id": "G4"}),
        ("it is there", {"attribute": "colour"}),
    ],
)
def test_what_is_not_offered_is_refused_and_stores_nothing(committed, verdict, named) -> None:
    workspace, say, _ = committed
    with pytest.raises(InvalidInput):
        say("R3/-", verdict, **named)
    assert review_rows.item_verdicts(workspace) == []
