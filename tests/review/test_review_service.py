import json

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, IntegrityError

from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.review import Confidence, Length, Missing, Rating, ReviewMode, SafetyRisk, View
from core.domain.review_views import DraftChange
from core.errors import InvalidInput, NotAllowed, NotFound, NotReady
from core.services import (
    rating_entry,
    review,
    review_commit,
    review_drafts,
    review_images,
    review_reveal,
    review_rows,
    studies,
)
from tests.review.example import (
    DIAGNOSIS,
    JUDGE,
    JUSTIFICATIONS,
    MATCH_REASON,
    MODEL,
    SCORES,
    TITLE,
    store_example,
)

SCORED = {
    "factuality": 2,
    "factuality.evidence": ("turn 3",),
    "factuality.confidence": "high",
    "validity": 4,
    "coherence": "not applicable",
    "utility": "cannot judge",
    "utility.reason": "the pictures are too small",
    "overall": 3,
    "safety": "possible",
    "safety.severity": "mild",
    "comment": "wrong side",
}
TURNS = {n: {"supported": "yes"} for n in (1, 2, 3, 4)}


class Setting:
    """A blinded study of two dialogues for two reviewers, and an open review of the model's dialogue."""

    def __init__(self, ws) -> None:
        self.ws = ws
        self.model, self.reference = store_example(ws)
        self.alpha = studies.add_reviewer(ws, "Dr Alpha").id
        self.beta = studies.add_reviewer(ws, "Dr Beta").id
        both = [self.alpha, self.beta]
        self.study = studies.create_study(
            ws, "Pilot", ReviewMode.BLINDED, [self.model, self.reference], both, order_seed=1
        )
        self.open_study = studies.create_study(
            ws, "Teaching", ReviewMode.OPEN, [self.model], [self.alpha], length=Length.FULL, order_seed=1
        )

    def assignment(self, reviewer_id: str, *, is_open: bool = False, dialogue: str | None = None):
        study = self.open_study if is_open else self.study
        return next(
            a
            for a in studies.assignments_of(self.ws, study.id)
            if a.reviewer_id == reviewer_id and a.dialogue_id == (dialogue or self.model)
        )


@pytest.fixture
def setting(workspace) -> Setting:
    return Setting(workspace)


def change(turn: int, field: str, value, base: int = 0, nonce: str = "n1", after: tuple[str, ...] = ()) -> DraftChange:
    return DraftChange(turn=turn, field=field, value=value, base=base, nonce=nonce, after=after)


def save(s: Setting, assignment, *changes: DraftChange) -> list[str]:
    return [r.state for r in review_drafts.save_drafts(s.ws, assignment.reviewer_id, assignment.id, changes)]


def secrets() -> list[str]:
    return [
        MODEL,
        JUDGE,
        MATCH_REASON,
        TITLE,
        *JUSTIFICATIONS.values(),
        "raw walrus",
        "art-quokka",
        "Narwhal",
        "Dr Beta",
    ]


def test_nothing_of_model_judge_case_or_others_is_in_what_a_blinded_reviewer_receives(setting) -> None:
    mine = setting.assignment(setting.alpha)
    rating_entry.enter_ratings(
        setting.ws, setting.assignment(setting.beta), TURNS, SCORED | {"comment": "Beta's remark"}
    )
    for n in (1, 2, 3, 4):
        review.open_step(setting.ws, setting.alpha, mine.id, f"turn-{n}")
        save(setting, mine, change(n, "supported", "no"))
        received = review.review_view(setting.ws, setting.alpha, mine.id).model_dump_json()
        received += json.dumps([x.model_dump(mode="json") for x in review.my_assignments(setting.ws, setting.alpha)])
        assert DIAGNOSIS not in received
        for secret in [*secrets(), "Beta's remark"]:
            assert secret not in received, (n, secret)
    outcome = review_commit.outcome(setting.ws, setting.alpha, mine.id)
    assert outcome.final_diagnosis == (DIAGNOSIS,)
    for secret in secrets():
        assert secret not in outcome.model_dump_json()


def test_the_reveal_is_refused_before_the_commit_and_names_nothing(setting) -> None:
    mine = setting.assignment(setting.alpha)
    calls = (
        lambda: review_reveal.reveal(setting.ws, setting.alpha, mine.id),
        lambda: review_reveal.turn_tables(setting.ws, setting.alpha, mine.id, 3),
        lambda: review_reveal.set_view(
            setting.ws, setting.alpha, mine.id, "judgement-1", Dimension.OVERALL, View.AGREE
        ),
        lambda: review_reveal.set_verdict(
            setting.ws, setting.alpha, mine.id, "eval-1", Target.IMAGE_FINDINGS, "fig1", "R1/G1", "agree"
        ),
    )
    for call in calls:
        with pytest.raises(NotAllowed) as refusal:
            call()
        assert not any(secret in str(refusal.value) for secret in secrets())


def test_someone_elses_assignment_does_not_exist_for_a_reviewer(setting) -> None:
    other = setting.assignment(setting.beta)
    for call in (
        lambda: review.review_view(setting.ws, setting.alpha, other.id),
        lambda: review.open_step(setting.ws, setting.alpha, other.id, "turn-2"),
        lambda: review_drafts.save_drafts(setting.ws, setting.alpha, other.id, [change(1, "supported", "yes")]),
        lambda: review_commit.outcome(setting.ws, setting.alpha, other.id),
        lambda: review_commit.commit(setting.ws, setting.alpha, other.id),
        lambda: review_reveal.reveal(setting.ws, setting.alpha, other.id),
        lambda: review.review_view(setting.ws, setting.alpha, "asg-nothing"),
        lambda: review.review_view(setting.ws, "", other.id),
    ):
        with pytest.raises(NotFound):
            call()


def test_turns_after_the_furthest_are_not_returned_and_cannot_be_jumped_to(setting) -> None:
    mine = setting.assignment(setting.alpha)
    assert [t.index for t in review.review_view(setting.ws, setting.alpha, mine.id, "turn-4").turns] == [1]
    assert review.open_step(setting.ws, setting.alpha, mine.id, "turn-3") == "turn-1"
    assert review.open_step(setting.ws, setting.alpha, mine.id, "rate") == "turn-1"
    assert review.open_step(setting.ws, setting.alpha, mine.id, "reveal") == "turn-1"
    assert review.open_step(setting.ws, setting.alpha, mine.id, "turn-2") == "turn-2"
    view = review.review_view(setting.ws, setting.alpha, mine.id)
    assert ([t.index for t in view.turns], view.step) == ([1, 2], "turn-2")
    assert set(view.questions) == {0, 1, 2}
    assert save(setting, mine, change(3, "supported", "yes")) == ["refused"]


def test_the_diagnosis_comes_after_the_last_turn_rating_and_the_scores_after_the_diagnosis(setting) -> None:
    mine = setting.assignment(setting.alpha)
    for n in (1, 2, 3, 4):
        review.open_step(setting.ws, setting.alpha, mine.id, f"turn-{n}")
        if n < 4:
            save(setting, mine, change(n, "supported", "yes"))
    with pytest.raises(NotReady, match="turn 4"):
        review_commit.outcome(setting.ws, setting.alpha, mine.id)
    save(setting, mine, change(4, "supported", "yes"))
    assert save(setting, mine, change(0, "overall", 3)) == ["refused"]
    first = review_commit.outcome(setting.ws, setting.alpha, mine.id).shown_at
    assert review_commit.outcome(setting.ws, setting.alpha, mine.id).shown_at == first
    assert save(setting, mine, change(0, "overall", 3, nonce="n2")) == ["saved"]


def test_a_draft_sent_twice_is_one_row_and_an_old_one_never_overwrites(setting) -> None:
    mine = setting.assignment(setting.alpha)
    assert (
        save(setting, mine, change(1, "comment", "a", nonce="a"), change(1, "comment", "a", nonce="a")) == ["saved"] * 2
    )
    # The same browser goes on typing before it has heard of the first save.
    assert save(setting, mine, change(1, "comment", "ab", nonce="b", after=("a",))) == ["saved"]
    # Another window, still on revision 0.
    assert save(setting, mine, change(1, "comment", "other", nonce="x")) == ["conflict"]
    # The first save arrives once more, late.
    assert save(setting, mine, change(1, "comment", "a", nonce="a")) == ["saved"]
    draft = review.review_view(setting.ws, setting.alpha, mine.id).drafts["1/comment"]
    assert (draft.value, draft.revision) == ("ab", 2)
    assert save(setting, mine, change(1, "comment", "other", base=2, nonce="y")) == ["saved"]


def test_a_conflict_with_the_same_value_is_none(setting) -> None:
    mine = setting.assignment(setting.alpha)
    save(setting, mine, change(1, "supported", "yes", nonce="a"))
    assert save(setting, mine, change(1, "supported", "yes", nonce="b")) == ["saved"]


def test_a_bad_change_is_refused_with_a_sentence_and_the_good_one_beside_it_is_kept(setting) -> None:
    mine = setting.assignment(setting.alpha)
    results = review_drafts.save_drafts(
        setting.ws,
        setting.alpha,
        mine.id,
        [
            change(1, "supported", 7, nonce="a"),
            change(1, "comment", "x" * 100_000, nonce="b"),
            change(1, "colour", "red", nonce="c"),
            change(99, "supported", "yes", nonce="d"),
            change(1, "comment", "kept <script>", nonce="e"),
        ],
    )
    assert [r.state for r in results] == ["refused"] * 4 + ["saved"]
    assert all(r.message for r in results[:4])
    assert review.review_view(setting.ws, setting.alpha, mine.id).drafts["1/comment"].value == "kept <script>"


def test_a_commit_needs_every_required_answer(setting) -> None:
    mine = setting.assignment(setting.alpha)
    with pytest.raises(NotReady, match="Utility: why it cannot be judged"):
        rating_entry.enter_ratings(setting.ws, mine, TURNS, {k: v for k, v in SCORED.items() if k != "utility.reason"})
    with pytest.raises(NotReady, match="Safety"):
        other = setting.assignment(setting.beta)
        rating_entry.enter_ratings(
            setting.ws, other, TURNS, {k: v for k, v in SCORED.items() if not k.startswith("safety")}
        )
    assert review_rows.committed_ratings(setting.ws) == []


def test_committed_ratings_are_tidy_rows_in_which_missing_is_not_a_number(setting, now) -> None:
    mine = setting.assignment(setting.alpha)
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED, now)
    rows = {row.dimension: row for row in review_rows.committed_ratings(setting.ws, setting.study.id)}
    assert {d: r.score for d, r in rows.items()} == {
        Dimension.FACTUALITY: 2,
        Dimension.VALIDITY: 4,
        Dimension.COHERENCE: None,
        Dimension.UTILITY: None,
        Dimension.OVERALL: 3,
    }
    assert rows[Dimension.COHERENCE].missing is Missing.NOT_APPLICABLE
    assert rows[Dimension.UTILITY].missing is Missing.CANNOT_JUDGE
    first = rows[Dimension.FACTUALITY]
    assert (first.reviewer, first.setting, first.case_id) == ("Reviewer 1", MODEL, "art-quokka")
    assert (first.confidence, first.evidence) == (Confidence.HIGH, ("turn 3",))
    assert (first.safety, first.committed_at, first.mode) == (SafetyRisk.POSSIBLE, now, ReviewMode.BLINDED)
    answers = review_rows.committed_turn_answers(setting.ws, setting.study.id)
    assert [(a.turn, a.field, a.values, a.text) for a in answers if a.turn in (0, 1)] == [
        (0, "comment", (), "wrong side"),
        (0, "safety", ("possible",), ""),
        (0, "safety.severity", ("mild",), ""),
        (1, "supported", ("yes",), ""),
    ]
    assert review_rows.committed_ratings(setting.ws, setting.open_study.id) == []


def test_a_detail_hidden_by_a_later_choice_is_not_committed(setting) -> None:
    mine = setting.assignment(setting.alpha)
    stale = {
        "factuality": 5,
        "factuality.evidence": ("turn 3",),
        "factuality.reason": "first I could not tell",
        "validity": "not applicable",
        "validity.confidence": "high",
        "coherence": 4,
        "utility": 4,
        "overall": 4,
        "safety": "none",
        "safety.severity": "severe",
    }
    rating_entry.enter_ratings(setting.ws, mine, TURNS, stale)
    rows = {row.dimension: row for row in review_rows.committed_ratings(setting.ws)}
    first, second = rows[Dimension.FACTUALITY], rows[Dimension.VALIDITY]
    assert (first.score, first.evidence, first.reason) == (5, (), "")
    assert (second.missing, second.confidence) == (Missing.NOT_APPLICABLE, None)
    assert (first.safety, first.severity) == (SafetyRisk.NONE, None)


def test_after_the_commit_nothing_is_taken_any_more_and_a_second_commit_changes_nothing(setting) -> None:
    mine = setting.assignment(setting.alpha)
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    assert save(setting, mine, change(0, "overall", 5, base=1, nonce="z")) == ["refused"]
    review_commit.commit(setting.ws, setting.alpha, mine.id)
    assert len(review_rows.committed_ratings(setting.ws)) == 5


def test_the_reveal_shows_own_beside_judge_with_citation_and_matches(setting) -> None:
    mine = setting.assignment(setting.alpha)
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    shown = review_reveal.reveal(setting.ws, setting.alpha, mine.id)
    assert shown.setting == MODEL and TITLE in shown.article and shown.licence == "CC BY"
    assert {d.dimension: d.score for d in shown.judges[0].dimensions} == SCORES
    assert shown.own[Dimension.VALIDITY].rating.score == 4
    assert [(t.target, t.turn) for t in shown.tables] == [
        (Target.FINAL_DIAGNOSIS, 4),
        (Target.DIAGNOSTIC_REASONING, 4),
        (Target.IMAGE_FINDINGS, 3),
    ]
    assert len(review_reveal.turn_tables(setting.ws, setting.alpha, mine.id, 3)) == 1
    assert review_reveal.turn_tables(setting.ws, setting.alpha, mine.id, 1) == ()


def test_an_amendment_is_a_second_row_and_the_first_stays(setting) -> None:
    mine = setting.assignment(setting.alpha)
    changed = Rating(dimension=Dimension.OVERALL, score=2)
    with pytest.raises(NotAllowed):
        review_commit.amend(setting.ws, setting.alpha, mine.id, changed, "seen again")
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    with pytest.raises(InvalidInput):
        review_commit.amend(setting.ws, setting.alpha, mine.id, changed, "  ")
    with pytest.raises(InvalidInput):
        review_commit.amend(setting.ws, setting.alpha, mine.id, Rating(dimension=Dimension.OVERALL, score=3), "same")
    review_commit.amend(setting.ws, setting.alpha, mine.id, changed, "seen again")
    rows = [
        r for r in review_rows.committed_ratings(setting.ws, with_amendments=True) if r.dimension is Dimension.OVERALL
    ]
    assert [(r.revision, r.score, r.amendment_reason) for r in rows] == [(1, 3, ""), (2, 2, "seen again")]
    assert "after the reveal" in rows[1].evidence_shown and "after the reveal" not in rows[0].evidence_shown
    first_only = [r.score for r in review_rows.committed_ratings(setting.ws) if r.dimension is Dimension.OVERALL]
    assert first_only == [3]


def test_views_and_verdicts_are_kept_and_their_history_too(setting) -> None:
    mine = setting.assignment(setting.alpha)
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    for view in (View.AGREE, View.AGREE, View.DISAGREE):
        review_reveal.set_view(setting.ws, setting.alpha, mine.id, "judgement-1", Dimension.OVERALL, view)
    for verdict in ("agree", "should be strict"):
        review_reveal.set_verdict(
            setting.ws, setting.alpha, mine.id, "eval-1", Target.IMAGE_FINDINGS, "fig1", "R1/G1", verdict
        )
    with pytest.raises(InvalidInput):
        review_reveal.set_verdict(
            setting.ws, setting.alpha, mine.id, "eval-1", Target.IMAGE_FINDINGS, "fig1", "R1/G1", "nonsense"
        )
    with pytest.raises(NotFound):
        review_reveal.set_verdict(
            setting.ws, setting.alpha, mine.id, "eval-1", Target.IMAGE_FINDINGS, "fig1", "R9/G9", "agree"
        )
    with pytest.raises(NotFound):
        review_reveal.set_view(setting.ws, setting.alpha, mine.id, "judgement-2", Dimension.OVERALL, View.AGREE)
    shown = review_reveal.reveal(setting.ws, setting.alpha, mine.id)
    assert shown.judges[0].dimensions[4].view is View.DISAGREE
    assert (
        next(r.verdict for t in shown.tables for r in t.rows if r.row == "R1/G1" and t.figure_id) == "should be strict"
    )
    assert [v["verdict"] for v in review_rows.item_verdicts(setting.ws)] == ["should be strict"]
    log = [(e.what, e.old, e.new) for e in review_rows.review_events(setting.ws) if e.what.startswith("view")]
    assert log == [("view of overall", "", "agree"), ("view of overall", "agree", "disagree")]


def test_an_open_review_waits_until_the_same_dialogue_has_been_rated_blinded(setting) -> None:
    mine, opened = setting.assignment(setting.alpha), setting.assignment(setting.alpha, is_open=True)

    def state() -> str:
        lines = review.my_assignments(setting.ws, setting.alpha)
        return next(x.state for x in lines if x.assignment_id == opened.id)

    assert state() == "waiting"
    for call in (review.review_view, review_reveal.reveal, review_commit.outcome):
        with pytest.raises(NotAllowed) as refusal:
            call(setting.ws, setting.alpha, opened.id)
        assert not any(secret in str(refusal.value) for secret in secrets())
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    assert state() == "left"
    assert review_reveal.reveal(setting.ws, setting.alpha, opened.id).judges


def test_a_dialogue_of_an_open_review_is_not_given_to_its_reviewer_blinded(setting) -> None:
    gamma = studies.add_reviewer(setting.ws, "Dr Gamma").id
    studies.add_to_study(setting.ws, setting.open_study.id, [gamma])
    with pytest.raises(InvalidInput, match="Dr Gamma has 1 of these dialogues in an open review"):
        studies.add_to_study(setting.ws, setting.study.id, [gamma])
    assert not [a for a in studies.assignments_of(setting.ws, setting.study.id) if a.reviewer_id == gamma]


def test_a_dialogue_is_given_to_a_reviewer_in_one_blinded_study_only(setting) -> None:
    ws = setting.ws
    gamma = studies.add_reviewer(ws, "Dr Gamma").id
    dialogue_id = setting.assignment(setting.alpha).dialogue_id
    first = studies.create_study(ws, "First", ReviewMode.BLINDED, [dialogue_id], [gamma])
    with pytest.raises(InvalidInput, match="Dr Gamma has 1 of these dialogues in another blinded study"):
        studies.create_study(ws, "Second", ReviewMode.BLINDED, [dialogue_id], [gamma])
    (mine,) = studies.assignments_of(ws, first.id)
    rating_entry.enter_ratings(ws, mine, TURNS, SCORED)
    with pytest.raises(InvalidInput, match="in another blinded study"):
        studies.create_study(ws, "Second", ReviewMode.BLINDED, [dialogue_id], [gamma])
    assert "Second" not in [line.study.name for line in studies.studies(ws)]


def test_open_review_shows_everything_from_the_first_turn_and_is_marked_in_every_row(setting) -> None:
    rating_entry.enter_ratings(setting.ws, setting.assignment(setting.alpha), TURNS, SCORED)
    mine = setting.assignment(setting.alpha, is_open=True)
    view = review.review_view(setting.ws, setting.alpha, mine.id)
    assert view.mode is ReviewMode.OPEN and len(view.turns) == 4
    assert review_reveal.reveal(setting.ws, setting.alpha, mine.id).judges[0].judge == JUDGE
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    rows = review_rows.committed_ratings(setting.ws, setting.open_study.id)
    assert len(rows) == 5 and {r.mode for r in rows} == {ReviewMode.OPEN}
    assert all("open review" in r.evidence_shown for r in rows)


def test_a_locked_study_takes_nothing_more(setting) -> None:
    mine = setting.assignment(setting.alpha)
    studies.lock(setting.ws, setting.study.id)
    assert save(setting, mine, change(1, "supported", "yes")) == ["refused"]
    with pytest.raises(NotAllowed):
        review_commit.commit(setting.ws, setting.alpha, mine.id)
    with pytest.raises(InvalidInput):
        studies.add_to_study(setting.ws, setting.study.id, [setting.beta])


def test_the_database_itself_refuses_changes_doubles_and_scores_outside_the_scale(setting) -> None:
    mine = setting.assignment(setting.alpha)
    rating_entry.enter_ratings(setting.ws, mine, TURNS, SCORED)
    store = setting.ws.store
    for statement in (
        "UPDATE rating SET score = 5",
        "DELETE FROM rating",
        "UPDATE draft SET value = '5'",
        "DELETE FROM review_event",
        "INSERT OR REPLACE INTO rating SELECT * FROM rating",
    ):
        with pytest.raises(DatabaseError, match="never changed"), store.write() as session:
            session.exec(text(statement))
    columns = (
        "assignment_id, turn, dimension, revision, score, missing, reason, evidence, amendment_reason, "
        "evidence_shown, instrument_version, committed_at"
    )
    row = "'{a}', 0, 'overall', {revision}, {score}, {missing}, '', '', 'why', '', '1', '2026-01-01'"
    for values in (
        {"revision": 1, "score": 4, "missing": "NULL"},
        {"revision": 2, "score": 7, "missing": "NULL"},
        {"revision": 2, "score": 0, "missing": "NULL"},
        {"revision": 2, "score": "NULL", "missing": "NULL"},
        {"revision": 2, "score": 3, "missing": "'not applicable'"},
        {"revision": 2, "score": "NULL", "missing": "'cannot judge'"},
        {"revision": 2, "score": "NULL", "missing": "'whatever'"},
    ):
        with pytest.raises(IntegrityError), store.write() as session:
            session.exec(text(f"INSERT INTO rating ({columns}) VALUES ({row.format(a=mine.id, **values)})"))


def test_images_are_given_for_reached_turns_only(setting) -> None:
    mine = setting.assignment(setting.alpha)
    token = review_images.link_token(setting.ws, mine.id, 3, 1)
    with pytest.raises(NotAllowed):
        review_images.read_image(setting.ws, token)
    for n in (2, 3):
        review.open_step(setting.ws, setting.alpha, mine.id, f"turn-{n}")
    image = review_images.read_image(setting.ws, token)
    assert image.media_type == "image/png" and image.data.startswith(b"\x89PNG")
    for missing in (
        review_images.link_token(setting.ws, mine.id, 3, 9),
        review_images.link_token(setting.ws, "asg-x", 3, 1),
    ):
        with pytest.raises(NotFound):
            review_images.read_image(setting.ws, missing)


def test_my_reviews_say_state_place_and_minutes(setting) -> None:
    mine = setting.assignment(setting.alpha)
    review.open_step(setting.ws, setting.alpha, mine.id, "turn-2")
    save(setting, mine, change(1, "supported", "yes"))
    line = next(x for x in review.my_assignments(setting.ws, setting.alpha) if x.assignment_id == mine.id)
    # Short form: about a minute for each of the 3 turns left and 3.5 for the ratings: round(6.5) = 6.
    assert (line.state, line.step, line.place, line.minutes_left) == ("in progress", "turn-2", "turn 2 of 4", 6)
    review.set_aside(setting.ws, setting.alpha, mine.id, "not my field")
    line = next(x for x in review.my_assignments(setting.ws, setting.alpha) if x.assignment_id == mine.id)
    assert line.state == "set aside"
    reasons = [c.reasons for c in studies.coverage(setting.ws, setting.study.id) if c.reasons]
    assert reasons == [("not my field",)]


def test_late_reviewers_and_dialogues_never_change_labels_or_places(setting) -> None:
    before = {a.id: (a.label, a.position) for a in studies.assignments_of(setting.ws, setting.study.id)}
    gamma = studies.add_reviewer(setting.ws, "Dr Gamma").id
    assert studies.add_to_study(setting.ws, setting.study.id, [gamma]) == 2
    after = {a.id: (a.label, a.position) for a in studies.assignments_of(setting.ws, setting.study.id)}
    assert {k: after[k] for k in before} == before
    labels = {a.dialogue_id: a.label for a in studies.assignments_of(setting.ws, setting.study.id)}
    assert sorted(labels.values()) == ["Dialogue 1", "Dialogue 2"]
    assert studies.add_to_study(setting.ws, setting.study.id, [gamma]) == 0


def test_names_are_taken_once_and_pseudonyms_count_up(setting) -> None:
    with pytest.raises(InvalidInput):
        studies.add_reviewer(setting.ws, "dr alpha")
    with pytest.raises(InvalidInput):
        studies.add_reviewer(setting.ws, "   ")
    with pytest.raises(InvalidInput):
        studies.create_study(setting.ws, "Pilot", ReviewMode.BLINDED, [setting.model], [])
    with pytest.raises(InvalidInput):
        studies.create_study(setting.ws, "Other", ReviewMode.BLINDED, [], [])
    with pytest.raises(NotFound):
        studies.create_study(setting.ws, "Other", ReviewMode.BLINDED, ["dlg-none"], [])
    assert [s.study.name for s in studies.studies(setting.ws)] == ["Pilot", "Teaching"]
    assert [r.pseudonym for r in studies.reviewers(setting.ws)] == ["Reviewer 1", "Reviewer 2"]
