import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.guards import (
    conflicting_axes,
    guard_tokens,
    guarded_similarity,
    is_negated,
    negated_stems,
    similarity,
)
from core.language.terms import stem


# evaluation.md section 5: unguarded, 0.8 would merge each of these pairs.
@pytest.mark.parametrize(
    ("first", "second", "unguarded", "axis"),
    [
        ("left pleural effusion", "right pleural effusion", 0.837, "side"),
        ("hypertension", "hypotension", 0.870, "prefix"),
        ("pneumothorax", "no pneumothorax", 0.889, "polarity"),
        ("T1 hyperintensity", "T2 hyperintensity", 0.941, "weighting"),
    ],
)
def test_guards_keep_apart_what_strings_would_merge(first, second, unguarded, axis):
    assert similarity(first, second) == pytest.approx(unguarded, abs=0.0005)
    assert guarded_similarity(first, second) == 0
    assert conflicting_axes(first, second) == (axis,)


@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_does_not_depend_on_the_order_of_its_arguments(first, second):
    assert similarity(first, second) == similarity(second, first)
    assert guarded_similarity(first, second) == guarded_similarity(second, first)
    assert conflicting_axes(first, second) == conflicting_axes(second, first)


def test_lengths_are_compared_in_one_unit():
    assert guard_tokens("8 cm mass")["number"] == guard_tokens("80 mm mass")["number"]
    assert conflicting_axes("mass of 8 cm", "mass of 5 cm") == ("number",)
    assert conflicting_axes("mass of 8 cm", "mass for 5 weeks") == ()


def test_the_name_of_a_test_holds_no_number():
    assert "number" not in guard_tokens("CD20 and T2 signal")


def test_bilateral_agrees_with_both_sides_and_conflicts_with_none():
    assert guard_tokens("bilateral effusions")["side"] == guard_tokens("right and left effusions")["side"]
    assert conflicting_axes("bilateral effusions", "left effusion") == ()
    assert guarded_similarity("bilateral effusion", "left effusion") == 0


@pytest.mark.parametrize(
    "text", ["no fracture", "absence of edema", "negative for tumour", "wasn't seen", "HIV negative"]
)
def test_negation_is_seen(text):
    assert is_negated(text)


@pytest.mark.parametrize("text", ["Gram-negative rods", "not only edema but effusion", "notable nodule", "nonunion"])
def test_negation_is_not_seen_where_there_is_none(text):
    assert not is_negated(text)


def test_a_denial_conflicts_only_with_the_words_it_denies():
    assert negated_stems("CT showed a mass without effusion") == {stem("effusion")}
    assert conflicting_axes("CT showed a mass without effusion", "CT showed a mass") == ()
    assert conflicting_axes("CT showed a mass without effusion", "pleural effusion") == ("polarity",)
    assert negated_stems("fever was absent; cough present") == {stem("fever")}
    assert negated_stems("MRI ruled out an abscess") == {stem("abscess")}
    assert negated_stems("abscess was ruled out by MRI") == {stem("abscess")}


def test_a_non_prefix_conflicts_with_the_bare_word():
    assert conflicting_axes("noncaseating granulomas", "caseating granulomas") == ("prefix",)


def test_organs_are_compared_by_organ_not_by_word():
    assert guard_tokens("pulmonary nodule") == guard_tokens("lung nodule")
    assert guarded_similarity("renal cyst", "hepatic cyst") == 0


def test_numbers_near_each_other_do_not_conflict():
    assert conflicting_axes("88 per minute at 240 ms", "about 90 per minute") == ()
    assert conflicting_axes("appendix of 14.4 mm", "appendix of 14 mm") == ()
    assert conflicting_axes("rate of 88 per minute", "rate of 38 per minute") == ("number",)
    assert conflicting_axes("leads 2 and 3", "leads 4 and 5") == ()


def test_the_normal_range_in_brackets_is_no_finding():
    assert conflicting_axes("IgG 148 mg/l (normal below 40 mg/l)", "IgG raised at 148 mg/l") == ()


def test_only_the_axes_of_the_manual_keep_findings_from_being_merged():
    assert guarded_similarity("mild pleural effusion", "mild pleural effusions") > 0.9
    assert guarded_similarity("small pleural effusion, mild", "small pleural effusion, severe") > 0


@pytest.mark.parametrize("text", ["no " * 3000, "x y absent, " * 2000])
def test_many_denials_are_read_in_linear_time(text):
    start = time.process_time()
    negated_stems(text)
    assert time.process_time() - start < 2
