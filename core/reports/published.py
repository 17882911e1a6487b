"""The published protocol of AtomiMed: the verifier says yes or no only, and quotes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.domain.model_call import FailedCall, Role, StructuredReply
from core.domain.reports import Answer, Direction, Fact, Given, Preset, ReportFacts
from core.prompting import load_prompt
from core.reports.readers import ModelReader, RulesReader, question_lines, request_of
from core.reports.replies import VerifiedAnswers, VerifiedBinaryAnswers, id_problems
from core.reports.rules import RULES_NAME

PUBLISHED_VERIFIER_PROMPT = "report-verifier-as-published"


@dataclass(frozen=True)
class PublishedModelReader(ModelReader):
    """The same model under the published protocol: the verifier says yes or no only, and quotes nothing."""

    preset: ClassVar[Preset] = Preset.AS_PUBLISHED
    verifier_prompt: ClassVar[str] = PUBLISHED_VERIFIER_PROMPT

    @property
    def name(self) -> str:
        """The model's registry name with the preset."""
        return f"{super().name}, {Preset.AS_PUBLISHED}"

    def _ask(
        self, asked: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str
    ) -> StructuredReply[VerifiedAnswers] | StructuredReply[VerifiedBinaryAnswers] | FailedCall:
        prompt = load_prompt(self.verifier_prompt)
        request = request_of(Role.VERIFIER, subject, prompt, evidence=evidence, questions=question_lines(asked))
        ids = frozenset(q.id for q in asked)
        return self.verifier.answer(
            request, VerifiedBinaryAnswers, lambda reply: id_problems([a.id for a in reply.answers], ids)
        )

    def answer(self, questions: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str) -> Direction:
        """Give yes or no to each question; an empty evidence report says no to all."""
        return _as_published(super().answer(questions, evidence, facts, subject))


@dataclass(frozen=True)
class PublishedRulesReader(RulesReader):
    """The rules baseline under the published protocol: what is not stated is a no, and nothing is quoted."""

    name: str = f"{RULES_NAME}, {Preset.AS_PUBLISHED}"
    preset: ClassVar[Preset] = Preset.AS_PUBLISHED

    def answer(self, questions: Sequence[Fact], evidence: str, facts: ReportFacts, subject: str) -> Direction:
        """Give yes or no to each question."""
        return _as_published(super().answer(questions, evidence, facts, subject))


def _as_published(direction: Direction) -> Direction:
    answers = tuple(
        Answer(fact_id=answer.fact_id, given=Given.YES if answer.given is Given.YES else Given.NO)
        for answer in direction.answers
    )
    return direction.model_copy(update={"answers": answers})
