from core.domain.dialogue import Stage
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.review import Length
from core.review.form import TEXT_LIMIT, dialogue_questions, fields_of, problem_with, turn_questions

WHOLE = fields_of(dialogue_questions(Length.SHORT, 4))


def test_every_dimension_is_asked_with_the_words_of_the_instrument() -> None:
    for dimension in Dimension:
        question = WHOLE[dimension.value]
        assert question.descriptors == INSTRUMENT.criterion(dimension).descriptors
        assert question.help == INSTRUMENT.criterion(dimension).question
        assert question.is_required


def test_a_score_outside_one_to_five_is_refused_and_the_edges_are_not() -> None:
    question = WHOLE["factuality"]
    assert [problem_with(question, n) == "" for n in (0, 1, 5, 6, 7)] == [False, True, True, False, False]
    assert problem_with(question, True)
    assert problem_with(question, "3")
    assert problem_with(question, "cannot judge") == ""


def test_no_answer_is_always_allowed() -> None:
    assert all(problem_with(question, None) == "" for question in WHOLE.values())


def test_a_text_of_100_000_characters_is_refused_with_its_length_and_the_limit() -> None:
    sentence = problem_with(WHOLE["comment"], "x" * 100_000)
    assert "100,000" in sentence and f"{TEXT_LIMIT:,}" in sentence


def test_choices_outside_the_list_and_doubled_choices_are_refused() -> None:
    errors = fields_of(turn_questions(Stage.HISTORY, Length.FULL))["errors"]
    assert problem_with(errors, ("false finding",)) == ""
    assert problem_with(errors, ("false finding", "false finding"))
    assert problem_with(errors, ("bad style",))
    assert problem_with(errors, "false finding")


def test_image_use_is_asked_on_image_turns_and_closure_on_the_others_in_the_full_form() -> None:
    image = {q.field for q in turn_questions(Stage.IMAGE, Length.FULL)}
    history = {q.field for q in turn_questions(Stage.HISTORY, Length.FULL)}
    assert "image_use" in image and "closure" not in image
    assert "closure" in history and "image_use" not in history


def test_the_short_form_asks_for_support_and_a_comment() -> None:
    assert [q.field for q in turn_questions(Stage.IMAGE, Length.SHORT)] == ["supported", "comment"]


def test_a_low_score_may_rest_on_sentences_of_the_answers_that_exist() -> None:
    questions = fields_of(dialogue_questions(Length.SHORT, 4, ["turn 3, sentence 2"]))
    evidence = questions["factuality.evidence"]
    assert problem_with(evidence, ("turn 1", "turn 3, sentence 2")) == ""
    assert problem_with(evidence, ("turn 3, sentence 9",))
