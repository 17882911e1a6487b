"""The rules baseline on labelled report pairs (RadFact's examples in ../shared, used by tests only).

Its rules were written with these pairs in view, so the floors guard against getting worse; they are no estimate of
how it does on reports it has not seen.
"""

import json
from collections import Counter

import pytest

from core.domain.reports import FactLevel, Given
from core.reports.rules import answer_questions, read_facts

LABEL = {"entailment": "agrees", "contradiction": "contradicts", "neutral": "not stated"}


@pytest.fixture(scope="module")
def outcomes(shared_folder) -> Counter:
    examples = json.loads((shared_folder / "reports" / "radfact_examples.json").read_text(encoding="utf-8"))
    found: Counter = Counter()
    for example in examples:
        for side, other in (("A", "B"), ("B", "A")):
            evidence = " ".join(example["input"][f"phrases_{other}"])
            for phrase in example["output"][f"phrases_{side}_evidenced"]:
                found[LABEL[phrase["status"]], outcome(phrase["phrase"], evidence)] += 1
    return found


def outcome(phrase: str, evidence: str) -> str:
    facts = [fact for fact in read_facts(phrase)[0] if fact.level is FactLevel.DISEASE]
    answers = answer_questions(facts, evidence)
    if not facts or all(answer.given is Given.NOT_STATED for answer in answers):
        return "not stated"
    pairs = [(f.expected.value, a.given.value) for f, a in zip(facts, answers, strict=True)]
    if any(given not in (expected, "not_stated") for expected, given in pairs):
        return "contradicts"
    return "agrees" if all(given == expected for expected, given in pairs) else "not stated"


def test_most_labels_are_met(outcomes: Counter) -> None:
    assert outcomes.total() == 249
    assert sum(n for (label, got), n in outcomes.items() if label == got) / outcomes.total() >= 0.86


def test_agreement_and_contradiction_are_hardly_ever_confused(outcomes: Counter) -> None:
    assert outcomes["agrees", "contradicts"] + outcomes["contradicts", "agrees"] <= 4
