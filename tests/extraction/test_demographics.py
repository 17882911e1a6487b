import pytest

from core.extraction.demographics import find_patient_phrase, read_presentation


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        (
            "A 65-year-old well-nourished Ghanaian female presented with a lump.",
            "A 65-year-old well-nourished Ghanaian female",
        ),
        ("We report a 34-year-old man with an itch.", "a 34-year-old man"),
        ("The patient is a 6 year old boy with pain.", "a 6 year old boy"),
        ("A previously healthy 10-year-old boy presented.", "A previously healthy 10-year-old boy"),
        ("A woman aged 57 years was admitted.", "A woman aged 57 years"),
        ("Mr. A, aged 57 years, was referred.", "Mr. A, aged 57 years"),
        ("An eighty-three-year-old white male was seen.", "An eighty-three-year-old white male"),
        ("A 3-month-old infant was brought in.", "A 3-month-old infant"),
        ("A lady in her sixties attended.", "A lady in her sixties"),
    ],
)
def test_age_and_sex_are_found_in_their_usual_wordings(sentence: str, phrase: str) -> None:
    found = find_patient_phrase(sentence)
    assert found is not None and sentence[found[0] : found[1]] == phrase


@pytest.mark.parametrize("sentence", ["The pain had lasted for 10 years.", "He was discharged on day 5.", ""])
def test_other_numbers_are_no_age(sentence: str) -> None:
    assert find_patient_phrase(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "complaint"),
    [
        ("A 30-year-old man presented to our clinic with cough.", "with cough."),
        ("A 30-year-old man was admitted because of fever.", "because of fever."),
        ("A 30-year-old man was referred to us for a lump of the neck.", "for a lump of the neck."),
    ],
)
def test_the_complaint_begins_after_the_move_to_the_clinic(sentence: str, complaint: str) -> None:
    found = read_presentation(sentence)
    assert found is not None and found.complaint_start is not None
    assert sentence[found.complaint_start :] == complaint
