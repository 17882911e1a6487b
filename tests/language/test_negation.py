import pytest

from core.language.negation import Assertion, context_of, is_negated


def of(sentence: str, phrase: str):
    start = sentence.index(phrase)
    return context_of(sentence, start, start + len(phrase))


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("There was no contact with a patient with tuberculosis.", "tuberculosis"),
        ("She denied fever and cough.", "cough"),
        ("Cultures were negative for mycobacteria.", "mycobacteria"),
        ("Sarcoidosis was excluded by biopsy.", "Sarcoidosis"),
        ("Lymphoma was ruled out.", "Lymphoma"),
        ("The scan showed a cyst without calcification.", "calcification"),
    ],
)
def test_a_denied_phrase_is_negated(sentence: str, phrase: str) -> None:
    assert of(sentence, phrase).assertion is Assertion.NEGATED
    start = sentence.index(phrase)
    assert is_negated(sentence, start, start + len(phrase))


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("She denied fever, but the chest film showed pneumonia.", "pneumonia"),
        ("No fever was present. Biopsy revealed lymphoma.", "lymphoma"),
        ("A lymphoma was found.", "lymphoma"),
    ],
)
def test_the_reach_of_a_denial_ends_with_its_clause(sentence: str, phrase: str) -> None:
    assert of(sentence, phrase).assertion is Assertion.STATED


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("A urinary tract infection was suspected.", "urinary tract infection"),
        ("The findings were suspicious for lymphoma.", "lymphoma"),
        ("The differential diagnosis included sarcoidosis.", "sarcoidosis"),
    ],
)
def test_a_suspicion_is_kept_apart_from_a_statement(sentence: str, phrase: str) -> None:
    assert of(sentence, phrase).assertion is Assertion.SUSPECTED


def test_relatives_and_the_past_are_noticed() -> None:
    assert of("Her mother had breast cancer.", "breast cancer").is_family
    assert of("He had a history of gout.", "gout").is_past
    assert not of("He had gout.", "gout").is_past
