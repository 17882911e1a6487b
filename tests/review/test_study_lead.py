"""What the lead can do with a study: shares, files, copies, unblinding, times, reports."""

from datetime import timedelta

import pytest

from core.domain.review import ReviewMode
from core.domain.review_design import StudyDesign
from core.errors import InvalidInput
from core.review.order import Candidate, spread
from core.services import rating_entry, review, review_preview, review_rows, studies, study_files, study_progress
from tests.conftest import NOW
from tests.review.example import store_example


@pytest.fixture
def people(workspace):
    return [studies.add_reviewer(workspace, f"Dr {name}") for name in ("Alpha", "Beta", "Gamma")]


@pytest.fixture
def study(workspace, people):
    dialogues = store_example(workspace)
    return studies.create_study(
        workspace, "Pilot", ReviewMode.BLINDED, dialogues, [p.id for p in people[:2]], order_seed=3
    )


def test_shares_are_balanced_repeatable_and_cover_every_dialogue_as_often_as_asked() -> None:
    dialogues = [Candidate(dialogue_id=f"d{n}", case_id=f"c{n // 2}", name=f"m{n % 2}") for n in range(11)]
    shares = spread(dialogues, ["Reviewer 1", "Reviewer 2", "Reviewer 3"], 2, seed=5)
    assert shares == spread(dialogues[::-1], ["Reviewer 1", "Reviewer 2", "Reviewer 3"], 2, seed=5)
    # 11 dialogues x 2 reviewers = 22 = 7 + 7 + 8.
    assert sorted(map(len, shares.values())) == [7, 7, 8]
    given = [d.dialogue_id for share in shares.values() for d in share]
    assert all(given.count(d.dialogue_id) == 2 for d in dialogues)
    assert all(len(set(share)) == len(share) for share in shares.values())


def test_with_an_overlap_of_one_each_dialogue_has_one_reviewer(workspace, people) -> None:
    dialogues = store_example(workspace)
    design = StudyDesign(overlap=1, blinding_seed=9)
    made = studies.create_study(
        workspace, "Spread", ReviewMode.BLINDED, dialogues, [p.id for p in people], order_seed=3, design=design
    )
    given = studies.assignments_of(workspace, made.id)
    assert sorted(a.dialogue_id for a in given) == sorted(dialogues)
    assert len({a.reviewer_id for a in given}) == 2
    assert studies.studies(workspace)[0].study.design == design
    # Who comes later gets everything; the others keep their share.
    late = next(p.id for p in people if p.id not in {a.reviewer_id for a in given})
    assert studies.add_to_study(workspace, made.id, [late]) == 2


def test_a_blinded_study_names_cases_and_settings_only_after_a_recorded_unblinding(workspace, study) -> None:
    assert {(c.case_id, c.setting, c.is_control) for c in studies.coverage(workspace, study.id)} == {("", "", None)}
    with pytest.raises(InvalidInput):
        studies.unblind(workspace, study.id, "Dr Lead", "  ")
    studies.unblind(workspace, study.id, "Dr Lead", "a control was mixed up", at=NOW)
    assert [(u.who, u.why, u.at) for u in studies.unblindings(workspace, study.id)] == [
        ("Dr Lead", "a control was mixed up", NOW)
    ]
    assert {c.is_control for c in studies.coverage(workspace, study.id)} == {True, False}
    assert "unblinded Pilot" in [e.what for e in review_rows.review_events(workspace)]


def test_a_copy_has_the_same_dialogues_labels_and_layout_and_no_rating(workspace, study, people) -> None:
    first = studies.assignments_of(workspace, study.id)
    copy = studies.clone(workspace, study.id, "Pilot, second round", [people[2].id])
    assert copy.design.cloned_from == study.id and copy.order_seed == study.order_seed
    again = studies.assignments_of(workspace, copy.id)
    assert {(a.dialogue_id, a.label) for a in again} == {(a.dialogue_id, a.label) for a in first}
    assert {a.reviewer_id for a in again} == {people[2].id}
    with pytest.raises(InvalidInput, match="already a study"):
        studies.clone(workspace, study.id, "Pilot", [])
    with pytest.raises(InvalidInput, match="another blinded study"):
        studies.clone(workspace, study.id, "Third", [people[0].id])


def test_assignments_go_out_as_csv_and_come_in_again(workspace, study, people) -> None:
    text = study_files.assignments_csv(workspace, study.id)
    assert text.splitlines()[0] == "reviewer,label,position,dialogue_id,state"
    assert study_files.enter_assignments(workspace, study.id, text) == study_files.Entered(n_new=0, n_known=4)
    more = text.replace("Dr Beta", "Dr Gamma")
    assert study_files.enter_assignments(workspace, study.id, more) == study_files.Entered(n_new=2, n_known=2)
    assert len(studies.assignments_of(workspace, study.id)) == 6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,dialogue_id\nDr Alpha,x\n", "no column reviewer"),
        ("reviewer,dialogue_id\nDr Nobody,dlg-reference\n", "Line 2: there is no reviewer 'Dr Nobody'"),
        ("reviewer,dialogue_id\nDr Gamma,dlg-reference\nDr Alpha,dlg-none\n", "Line 3: no dialogue 'dlg-none'"),
        ("reviewer,dialogue_id\n", "no line"),
        ("", "no column"),
    ],
)
def test_an_assignment_file_with_a_mistake_is_refused_as_a_whole(workspace, study, text, words) -> None:
    with pytest.raises(InvalidInput, match=words):
        study_files.enter_assignments(workspace, study.id, text)
    assert len(studies.assignments_of(workspace, study.id)) == 4


def test_gaps_of_more_than_two_minutes_are_idle() -> None:
    # 0, 30 s, 150 s (gap 120: still active), 500 s (gap 350: idle), 510 s.
    moments = [NOW + timedelta(seconds=s) for s in (510, 0, 30, 150, 500)]
    assert study_progress.times(moments) == study_progress.Times(active_s=160, idle_s=350)
    assert study_progress.times(moments[:1]) == study_progress.Times(active_s=0, idle_s=0)


def test_progress_counts_time_until_the_commit_and_marks_what_was_too_fast(workspace, study, people) -> None:
    mine = [a for a in studies.assignments_of(workspace, study.id) if a.reviewer_id == people[0].id]
    turns = {n: {"supported": "yes"} for n in (1, 2, 3, 4)}
    scores = dict.fromkeys(("factuality", "validity", "coherence", "utility", "overall"), 4) | {"safety": "none"}
    rating_entry.enter_ratings(workspace, mine[0], turns, scores, at=NOW)
    review.set_aside(workspace, people[0].id, mine[1].id, "not my field", at=NOW)
    rating_entry.enter_drafts(workspace, mine[1], 0, {"does_not_follow": ("problem with this case",)}, at=NOW)
    first, second = study_progress.progress(workspace, study.id)
    assert (first.n_assigned, first.n_committed, first.n_set_aside, first.n_too_fast) == (2, 1, 1, 1)
    assert (second.n_committed, second.median_active_s, second.last_at) == (0, None, None)
    reports = study_progress.reports(workspace, study.id)
    assert sorted(r.what for r in reports) == ["problem with this case", "set aside: not my field"]


def test_a_preview_holds_the_questions_of_the_study_and_no_name_of_the_model(workspace, study) -> None:
    labels = review_preview.preview_labels(workspace, study.id)
    assert list(labels.values()) == ["Dialogue 1", "Dialogue 2"]
    for dialogue_id in labels:
        view = review_preview.preview_view(workspace, study.id, dialogue_id, "rate", {})
        assert view.step == "rate" and len(view.turns) == view.n_turns == 4
        assert "gpt-5.1" not in view.model_dump_json().lower().replace(dialogue_id, "")


def test_the_sentences_a_low_score_may_rest_on_hold_no_name_of_the_model(workspace, study) -> None:
    for dialogue_id in review_preview.preview_labels(workspace, study.id):
        view = review_preview.preview_view(workspace, study.id, dialogue_id, "rate", {})
        assert view.sentences["turn 2, sentence 1"] == "Haemoglobin of 9.1 g/dL fits slow bleeding."
        assert view.sentences["turn 2, sentence 2"] == "As [name removed] I would order endoscopy."
        assert review_preview.preview_view(workspace, study.id, dialogue_id, "turn-1", {}).sentences == {}
