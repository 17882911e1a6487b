import pytest

from core.language.sentences import split_clauses, split_sentences


def sentences(text: str) -> list[str]:
    return [text[one.start : one.end] for one in split_sentences(text)]


def clauses(text: str) -> list[str]:
    return [text[one.start : one.end] for one in split_clauses(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The mass (Fig. 1) was 6.5 × 5 cm in size.",
        "Dr. Smith gave 2 g i.v. ceftriaxone.",
        "Culture grew S. aureus and C. albicans.",
        "He was seen by J. Doe et al. in 2015.",
        "The drug, e.g. aspirin, was stopped approx. 3 days before.",
        "Her temperature was 38.2 °C and pH 7.35.",
        "A No. 3 catheter was used vs. a larger one.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("He improved.There was no fever.", 2),
        ("Her temperature was 38.2 °C. She was pale.", 2),
        ("Sodium was 141 mmol/L. Potassium was normal.", 2),
        ("Pulse was 90 beats/min. Subsequently it fell.", 2),
        ("He said it was “minimal.” The abdomen was rigid.", 2),
        ("First line\nSecond line", 2),
        ("Is it benign? Yes. Was it removed? No.", 4),
        ("", 0),
        ("  \n ", 0),
    ],
)
def test_sentences_end_where_they_end(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_no_character_of_a_text_is_lost_between_sentences() -> None:
    text = "One (Fig. 2a). Two vs. three; four.\nFive i.v. six? “Seven.” Eight"
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_clauses_are_cut_before_joining_words_and_not_inside_brackets() -> None:
    text = "He was febrile, and the CT (with contrast, and without) revealed a mass; liver tests were normal."
    assert clauses(text) == [
        "He was febrile",
        "and the CT (with contrast, and without) revealed a mass",
        "liver tests were normal.",
    ]


def test_a_sentence_without_a_joint_is_one_clause() -> None:
    assert clauses("The chest was clear.") == ["The chest was clear."]
