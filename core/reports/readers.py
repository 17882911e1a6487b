"""Who reads reports: the rules baseline, or a model of the registry in both roles of method B."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from core import __version__
from core.domain.model_call import CallFacts, ChatModel, FailedCall, ModelRequest, Role, StructuredReply
from core.domain.record import MadeBy
from core.domain.reports import Answer, Direction, Expected, Fact, FactLevel, Given, Preset, ReportFacts
from core.language.sentences import split_sentences
from core.prompting import Prompt, load_prompt
from core.reports.lexicon import lexicon
from core.reports.replies import (
    DecomposedReport,
    VerifiedAnswers,
    VerifiedBinaryAnswers,
    answer_problems,
    decomposition_problems,
    sentence_in,
)
from core.reports.rules import RULES_NAME, answer_questions, read_facts

DECOMPOSER_PROMPT = "report-decomposer"
VERIFIER_PROMPT = "report-verifier"
_OUTPUT_TOKENS = 8192
# Raised with every change of the rules, so that facts read by older ones are not taken for theirs.
_RULES_VERSION = "1"


class ReportReader(Protocol):
    """Decomposes a report and answers questions from one."""

    name: str
    preset: Preset

    def identity(self) -> str:
        """Give what makes its facts the same for the same text: reader, prompt and version."""
        ...

    def read(self, text: str, subject: str) -> ReportFacts:
        """Give the facts of a report; a failed call gives an unscored record."""
        ...

    def answer(self, questions: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str) -> Direction:
        """Give an answer to each question from the evidence report, whose own facts are `facts`."""
        ...

    def made_by(self) -> MadeBy:
        """Give what its results say made them."""
        ...


def text_sha256(text: str) -> str:
    """Give the hash of a report's text, hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def facts_id(text: str, identity: str) -> str:
    """Give the id of the facts that one reader reads from one text."""
    return "rf-" + hashlib.sha256(f"{identity}\n{text}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class RulesReader:
    """The rules baseline in both roles; needs nothing and always gives the same.

    Attributes:
        clock: gives the present time, UTC.
    """

    clock: Callable[[], datetime]
    name: str = RULES_NAME
    preset: ClassVar[Preset] = Preset.OURS

    def identity(self) -> str:
        """Give the baseline's name, the version of its rules and the hash of its words."""
        return f"{RULES_NAME}/{_RULES_VERSION}/{lexicon().sha256}"

    def made_by(self) -> MadeBy:
        """Give what its results say made them."""
        return MadeBy(engine="rules", model=RULES_NAME, code_version=__version__, at=self.clock())

    def read(self, text: str, subject: str) -> ReportFacts:
        """Give the facts of a report."""
        facts, unread = read_facts(text)
        return ReportFacts(
            id=facts_id(text, self.identity()),
            text_sha256=text_sha256(text),
            facts=facts,
            unread=unread,
            made_by=self.made_by(),
        )

    def answer(self, questions: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str) -> Direction:
        """Give an answer to each question; counterparts are the findings of `read`."""
        return Direction(answers=answer_questions(questions, evidence))


@dataclass(frozen=True)
class ModelReader:
    """A model of the registry in both roles: one call to decompose, one per direction to verify.

    Attributes:
        decomposer: the model that makes facts.
        verifier: the model that answers questions.
        clock: gives the present time, UTC.
    """

    decomposer: ChatModel
    verifier: ChatModel
    clock: Callable[[], datetime]
    preset: ClassVar[Preset] = Preset.OURS
    verifier_prompt: ClassVar[str] = VERIFIER_PROMPT

    @property
    def name(self) -> str:
        """The model's registry name; both names where the roles differ."""
        names = dict.fromkeys((self.decomposer.name, self.verifier.name))
        return " + ".join(names)

    def identity(self) -> str:
        """Give the decomposing model and its prompt."""
        return f"{self.decomposer.engine}/{self.decomposer.name}/{load_prompt(DECOMPOSER_PROMPT).sha256}"

    def made_by(self) -> MadeBy:
        """Give what its results say made them, with both prompts."""
        return MadeBy(
            engine=self.decomposer.engine,
            model=self.name,
            prompts=(load_prompt(DECOMPOSER_PROMPT).ref, load_prompt(self.verifier_prompt).ref),
            code_version=__version__,
            at=self.clock(),
        )

    def read(self, text: str, subject: str) -> ReportFacts:
        """Give the facts of a report. An empty report has none and needs no call."""
        prompt = load_prompt(DECOMPOSER_PROMPT)
        common = {"id": facts_id(text, self.identity()), "text_sha256": text_sha256(text)}
        common["made_by"] = self.made_by()
        if not text.strip():
            return ReportFacts(**common)
        request = request_of(Role.REPORT_DECOMPOSER, subject, prompt, report=text)
        reply = self.decomposer.answer(request, DecomposedReport, lambda r: decomposition_problems(r, text))
        if isinstance(reply, FailedCall):
            return ReportFacts(**common, unscored=reply.as_unscored(), call=reply.facts)
        facts = _facts(reply.answer, text)
        used = {fact.sentence for fact in facts}
        unread = tuple(s for s in _sentences(text) if s not in used)
        return ReportFacts(**common, facts=facts, unread=unread, call=reply.facts)

    def answer(self, questions: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str) -> Direction:
        """Give an answer to each question; those left out are asked again alone, once.

        An empty evidence report states nothing: every answer is not_stated without a call.
        """
        if not questions:
            return Direction()
        if not evidence.strip():
            return Direction(answers=tuple(Answer(fact_id=q.id, given=Given.NOT_STATED) for q in questions))
        answers: dict[str, Answer] = {}
        calls: list[CallFacts] = []
        for attempt in ("first", "missing"):
            asked = [q for q in questions if q.id not in answers]
            if not asked:
                break
            reply = self._ask(asked, evidence, facts, f"{subject}/{attempt}")
            calls.append(reply.facts)
            if isinstance(reply, FailedCall):
                return Direction(answers=tuple(answers.values()), unscored=reply.as_unscored(), calls=tuple(calls))
            answers |= {answer.fact_id: answer for answer in _answers(reply.answer)}
        ordered = tuple(answers[q.id] for q in questions if q.id in answers)
        return Direction(
            answers=ordered, unanswered=tuple(q.id for q in questions if q.id not in answers), calls=tuple(calls)
        )

    def _ask(
        self, asked: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str
    ) -> StructuredReply[VerifiedAnswers] | StructuredReply[VerifiedBinaryAnswers] | FailedCall:
        findings = {f.finding_id: f.entity for f in facts.facts if f.level is FactLevel.DISEASE}
        request = request_of(
            Role.VERIFIER,
            subject,
            load_prompt(self.verifier_prompt),
            evidence=evidence,
            findings="\n".join(f"{name}: {entity}" for name, entity in findings.items()),
            questions=question_lines(asked),
        )
        ids = frozenset(q.id for q in asked)
        return self.verifier.answer(
            request, VerifiedAnswers, lambda reply: answer_problems(reply, ids, frozenset(findings), evidence)
        )


def _answers(reply: VerifiedAnswers | VerifiedBinaryAnswers) -> list[Answer]:
    if isinstance(reply, VerifiedBinaryAnswers):
        return [Answer(fact_id=given.id, given=Given(given.answer.value)) for given in reply.answers]
    return [
        Answer(
            fact_id=given.id,
            given=given.answer,
            quote="" if given.answer is Given.NOT_STATED else given.quote,
            counterpart_id=given.counterpart,
        )
        for given in reply.answers
    ]


def question_lines(asked: Sequence[Fact]) -> str:
    """Give the questions as the verifier gets them, one `id: question` per line."""
    return "\n".join(f"{q.id}: {' '.join(q.question.split())}" for q in asked)


def request_of(role: Role, subject: str, prompt: Prompt, **values: str) -> ModelRequest:
    """Give one call of method B with its prompt filled in."""
    return ModelRequest(
        role=role,
        subject=subject,
        messages=prompt.messages(**values),
        prompts=(prompt.ref,),
        max_output_tokens=_OUTPUT_TOKENS,
    )


def _facts(reply: DecomposedReport, text: str) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    for number, finding in enumerate(reply.findings, 1):
        common = {
            "finding_id": str(number),
            "entity": finding.entity.strip(),
            "system": finding.system,
            "sentence": sentence_in(text, finding.sentence) or finding.sentence,
        }
        question = finding.question.strip()
        facts.append(
            Fact(id=f"F{number}", level=FactLevel.DISEASE, question=question, expected=finding.answer, **common)
        )
        for place, attribute in enumerate(finding.attributes, 1):
            facts.append(
                Fact(
                    id=f"F{number}.{place}",
                    level=FactLevel.ATTRIBUTE,
                    facet=attribute.facet,
                    question=attribute.question.strip(),
                    expected=Expected.YES,
                    **common,
                )
            )
    return tuple(facts)


def _sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]
