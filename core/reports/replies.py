"""What a model replies in the two roles of method B, checked against the report it speaks of."""

from enum import StrEnum

from rapidfuzz import fuzz

from core.domain.record import Record
from core.domain.reports import Expected, Facet, Given, System
from core.language.sentences import split_sentences
from core.language.terms import normalise

_SAME_SENTENCE = 85.0


class StatedAttribute(Record):
    """One attribute question, true of the report."""

    id: str
    facet: Facet
    question: str


class StatedFinding(Record):
    """One finding of the report with its presence question and attributes."""

    id: str
    entity: str
    question: str
    answer: Expected
    system: System
    sentence: str
    attributes: list[StatedAttribute]


class DecomposedReport(Record):
    """Reply of the report decomposer."""

    findings: list[StatedFinding]


class VerifiedAnswer(Record):
    """One answer from the evidence report."""

    id: str
    answer: Given
    quote: str
    counterpart: str | None


class VerifiedAnswers(Record):
    """Reply of the verifier."""

    answers: list[VerifiedAnswer]


class BinaryGiven(StrEnum):
    """The published answers: yes or no."""

    YES = "yes"
    NO = "no"


class BinaryAnswer(Record):
    """One answer of the published protocol."""

    id: str
    answer: BinaryGiven


class VerifiedBinaryAnswers(Record):
    """Reply of the verifier in the published protocol."""

    answers: list[BinaryAnswer]


def sentence_in(report: str, claimed: str) -> str | None:
    """Give the report's own sentence that a reply copied; None when no sentence is nearly the same.

    Case, punctuation and white space may differ, and a part of a sentence is enough.
    """
    wanted = normalise(claimed)
    if not wanted:
        return None
    sentences = [report[span.start : span.end] for span in split_sentences(report)]
    for sentence in sentences:
        if wanted in normalise(sentence):
            return sentence
    scored = [(fuzz.ratio(wanted, normalise(sentence)), sentence) for sentence in sentences]
    best = max(scored, default=(0.0, ""))
    if best[0] >= _SAME_SENTENCE:
        return best[1]
    # A reply may copy two sentences that the report runs together; its words must then stand in the report as they are.
    return claimed if wanted in normalise(report) else None


def decomposition_problems(reply: DecomposedReport, report: str) -> list[str]:
    """Give what is wrong with a decomposition beyond its schema; empty when nothing is."""
    ids = [finding.id for finding in reply.findings]
    ids += [attribute.id for finding in reply.findings for attribute in finding.attributes]
    problems = [f"The id {name} is used more than once." for name in sorted({i for i in ids if ids.count(i) > 1})]
    for finding in reply.findings:
        if not (finding.entity.strip() and finding.question.strip()):
            problems.append(f"{finding.id} has no entity or no question.")
        if finding.answer is Expected.NO and finding.attributes:
            problems.append(f"{finding.id} is absent and can have no attributes.")
        if sentence_in(report, finding.sentence) is None:
            problems.append(f"The sentence of {finding.id} does not stand in the report.")
    problems += [f"{a.id} has no question." for f in reply.findings for a in f.attributes if not a.question.strip()]
    return problems


def id_problems(given: list[str], asked: frozenset[str]) -> list[str]:
    """Give sentences for ids that were not asked or were answered twice. Missing ids are asked again, not repaired."""
    problems = [f"The id {name} was not asked." for name in sorted(set(given) - asked)]
    return problems + [
        f"The id {name} is answered more than once." for name in sorted({i for i in given if given.count(i) > 1})
    ]


def answer_problems(
    reply: VerifiedAnswers, asked: frozenset[str], findings: frozenset[str], evidence: str
) -> list[str]:
    """Give what is wrong with answers beyond their schema: ids, counterparts, and quotes not in the evidence."""
    problems = id_problems([answer.id for answer in reply.answers], asked)
    whole = normalise(evidence)
    for answer in reply.answers:
        if answer.counterpart is not None and answer.counterpart not in findings:
            problems.append(f"{answer.id} names a counterpart that is not listed: {answer.counterpart}.")
        if answer.answer is not Given.NOT_STATED:
            words = normalise(answer.quote)
            if not words or words not in whole:
                problems.append(f"The quote of {answer.id} does not stand in the evidence.")
    return problems
