"""The rules baseline of method B: facts of a report, and answers to questions from another report's text."""

from collections.abc import Sequence

from core.domain.reports import Answer, Expected, Facet, Fact, FactLevel, Given
from core.language.guards import guarded_similarity
from core.reports.findings import BOTH, Described, Finding, measure_mm, same_measure
from core.reports.lexicon import ABNORMALITY, lexicon
from core.reports.reading import Reading, read_entity, read_report

RULES_NAME = "rules baseline"
_SAME_NAME = 0.8
_ASKS = {
    Facet.LOCATION: "Is the {entity} at this site: {value}?",
    Facet.SIZE: "Is the {entity} {value} in size?",
    Facet.MORPHOLOGY: "Is the {entity} {value} in form?",
    Facet.SEVERITY: "Is the {entity} {value} in degree?",
    Facet.QUANTITY: "Is the {entity} {value} in number?",
    Facet.TEMPORAL_CHANGE: "Compared with before, is the {entity} {value}?",
}


def read_facts(text: str) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """Give the facts of a report and the sentences in which no finding was read.

    Every finding is one presence question; each value of a present finding is one attribute question, true of this
    report. Empty text gives no facts.
    """
    reading = read_report(text)
    facts: list[Fact] = []
    for finding in reading.findings:
        common = {"finding_id": finding.id, "entity": finding.entity, "system": finding.system}
        common |= {"sentence": finding.sentence, "is_hedged": finding.is_hedged}
        facts.append(
            Fact(
                id=f"F{finding.id}",
                level=FactLevel.DISEASE,
                question=f"Is this present: {finding.entity}?",
                expected=finding.polarity,
                **common,
            )
        )
        for number, described in enumerate(finding.described, 1):
            question = _ASKS[described.facet].format(entity=finding.entity, value=described.value)
            facts.append(
                Fact(
                    id=f"F{finding.id}.{number}",
                    level=FactLevel.ATTRIBUTE,
                    facet=described.facet,
                    question=question,
                    expected=Expected.YES,
                    value=described.value,
                    **common,
                )
            )
    return tuple(facts), reading.unread


def answer_questions(questions: Sequence[Fact], evidence: str) -> tuple[Answer, ...]:
    """Give an answer to every question from the evidence report, with the words it rests on.

    A more specific statement answers a more general question (a left effusion says yes to an effusion), never the
    other way round; a denial reaches what lies inside it (no effusion says no to a left effusion); a normal region
    says no to findings in it. What the report does not speak of is not_stated.
    """
    reading = read_report(evidence)
    return tuple(_answer(question, reading) for question in questions)


def _answer(question: Fact, reading: Reading) -> Answer:
    asked = read_entity(question.entity)
    if asked is None:
        return Answer(fact_id=question.id, given=Given.NOT_STATED)
    present = [f for f in reading.findings if f.polarity is Expected.YES and _affirms(f, asked)]
    if asked.side == BOTH and not present:
        halves = [_affirming_half(asked, side, reading) for side in ("left", "right")]
        present = [half for half in halves if half is not None] if all(halves) else []
    denied = [f for f in reading.findings if f.polarity is Expected.NO and _denies(f, asked)]
    if question.level is FactLevel.ATTRIBUTE:
        return _attribute_answer(question, present, denied)
    if present:
        return _stated(question, Given.YES, present[0])
    return _stated(question, Given.NO, denied[0]) if denied else Answer(fact_id=question.id, given=Given.NOT_STATED)


def _stated(question: Fact, given: Given, finding: Finding, quote: str = "") -> Answer:
    return Answer(fact_id=question.id, given=given, quote=quote or finding.quote, counterpart_id=finding.id)


def _attribute_answer(question: Fact, present: Sequence[Finding], denied: Sequence[Finding]) -> Answer:
    for finding in present:
        if any(_same_value(question.value, d) for d in finding.described):
            return _stated(question, Given.YES, finding)
    for finding in present:
        if any(_opposite_value(question, d) for d in finding.described):
            return _stated(question, Given.NO, finding)
    if denied and not present:
        return _stated(question, Given.NO, denied[0])
    return Answer(fact_id=question.id, given=Given.NOT_STATED, counterpart_id=present[0].id if present else None)


def _same_value(value: str, described: Described) -> bool:
    return value == described.value or same_measure(value, described.value) is True


def _opposite_value(question: Fact, described: Described) -> bool:
    if question.facet is not described.facet:
        return False
    if measure_mm(question.value):
        return same_measure(question.value, described.value) is False
    return lexicon().is_opposite(question.value, described.value)


def _same_name(said: Finding, asked: Finding) -> bool:
    if said.is_known and asked.is_known:
        concept = lexicon().concepts.get(said.name)
        return said.name == asked.name or (concept is not None and concept.broader == asked.name)
    return guarded_similarity(said.name, asked.name) >= _SAME_NAME


def _same_organ(said: Finding, asked: Finding) -> bool:
    """A whole and its part agree (colon, sigmoid colon), two parts do not; an unsaid organ answers no named one."""
    words = lexicon()
    if asked.organ is None or said.organ == asked.organ:
        return True
    return words.covers(asked.organ, said.region) or words.covers(said.region, asked.organ)


def _affirms(said: Finding, asked: Finding) -> bool:
    if asked.is_partial:
        # What the exception leaves out is not said, so no finding can be known to be another one.
        return False
    if asked.name == ABNORMALITY:
        return said.makes_abnormal and lexicon().covers(asked.organ, said.region) and _meets(said, asked)
    if not _same_name(said, asked) or not _same_organ(said, asked):
        return False
    if asked.limits and not asked.limits <= {d.value for d in said.described}:
        return False
    return asked.side <= said.side and not (asked.level and said.level and not asked.level & said.level)


def _meets(said: Finding, asked: Finding) -> bool:
    """A finding of unstated side lies somewhere in a region asked about as a whole."""
    return not asked.side or bool(asked.side & said.side)


def _affirming_half(asked: Finding, side: str, reading: Reading) -> Finding | None:
    for said in reading.findings:
        if said.polarity is Expected.YES and side in said.side and _same_name(said, asked) and _same_organ(said, asked):
            return said
    return None


def _denies(said: Finding, asked: Finding) -> bool:
    # What is asked of both sides is denied by the denial of one, except that a whole is normal only when both are.
    reaches = asked.side and (asked.side <= said.side if asked.name == ABNORMALITY else asked.side & said.side)
    if said.side and not reaches:
        return False
    if said.level and said.level != asked.level:
        return False
    if said.is_normality and not said.is_partial:
        return lexicon().covers(said.organ, asked.region) and not _is_device(asked)
    if asked.name == ABNORMALITY:
        return said.is_normality and said.organ == asked.organ and said.limits <= asked.limits
    concept = lexicon().concepts.get(asked.name)
    is_name = (
        said.name == asked.name or (concept is not None and concept.broader == said.name)
        if said.is_known and asked.is_known
        else guarded_similarity(said.name, asked.name) >= _SAME_NAME
    )
    is_organ = said.organ is None or lexicon().covers(said.organ, asked.region)
    return is_name and is_organ and said.limits <= asked.limits


def _is_device(finding: Finding) -> bool:
    concept = lexicon().concepts.get(finding.name)
    return concept is not None and concept.is_device
