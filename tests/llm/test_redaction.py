import pytest

from core.llm.http_problems import status_problem
from core.llm.redaction import HIDDEN, Redactor
from tests.llm.conftest import NOW

KEY = "sk-proj-abcdefghij0123456789"


def test_the_key_leaves_answers_and_notices_in_every_form() -> None:
    redact = Redactor("key/with+signs=0123")
    assert redact.answer("a key/with+signs=0123 b") == f"a {HIDDEN} b"
    assert redact.notice("?key=key%2Fwith%2Bsigns%3D0123") == f"?key={HIDDEN}"


def test_masked_and_other_keys_leave_notices() -> None:
    for text in ("sk-proj-****6789", "Bearer abcdef123456", "sk-ant-REDACTED"):
        assert Redactor(KEY).notice(f"Wrong key {text}!").startswith(f"Wrong key {HIDDEN}")


def test_words_of_medicine_are_no_keys() -> None:
    for text in (
        "SK-MEL-28 cells",
        "PK-deficient anaemia",
        "bearer of the mutation",
        "sk-independent cohort",
        "None found.",
    ):
        assert Redactor(KEY).answer(text) == text
        assert Redactor("None").answer(text) == text
        assert Redactor("").answer(text) == text


def test_a_key_shows_in_no_representation() -> None:
    assert KEY not in repr(Redactor(KEY)) + str(Redactor(KEY))


def test_a_key_cut_off_by_the_length_of_a_notice_is_taken_out_too() -> None:
    key = "gwKEYxSECRET/0123+456789abcdefGHIJ=="
    problem = status_problem(400, {"error": {"message": f"{'x' * 570} {key} and more"}}, {}, NOW)
    assert "SECRET" not in Redactor(key).notice(problem.detail)


@pytest.mark.parametrize("said", ["gwKEYxSECRET", "GWKEYXSECRET/0123+456789ABCDEFGHIJ==", "...9abcdefGHIJ=="])
def test_a_notice_keeps_no_recognisable_piece_of_a_key(said: str) -> None:
    assert Redactor("gwKEYxSECRET/0123+456789abcdefGHIJ==").notice(f"Wrong key: {said}").endswith(HIDDEN)


def test_a_notice_keeps_ordinary_words_beside_a_key() -> None:
    said = "The provider answered 401: no."
    assert Redactor("gwKEYxSECRET/0123456789").notice(said) == said
