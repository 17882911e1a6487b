"""The rules engine as a test model (protocol.md section 6): the floor without eyes, labelled as the rules baseline."""

import re

from core.domain.model_call import (
    CallFacts,
    ChatModel,
    FailedCall,
    Message,
    ModelReply,
    ModelRequest,
    R,
    StructuredReply,
)
from core.language.negation import Assertion, context_of
from core.language.sentences import split_sentences

RULES_BASELINE = "rules baseline"
NOT_ASSESSED = "Not assessed: this baseline does not see images."
NO_DIAGNOSIS = "No diagnosis can be named from the disclosed findings."

_FENCED = re.compile(r"<<<information ([0-9a-f]+)\n(.*?)\ninformation \1>>>", re.DOTALL)
_FIELD = re.compile(r"^([A-Z][a-z ]+):$")
_NAMES_DIAGNOSIS = re.compile(
    r"\b(?:diagnos(?:is|ed|tic)\s+(?:of|with|as|for)|diagnosis\s+(?:was|is)|confirm(?:ed|ing|s|atory)?(?:\s+of)?|"
    r"establish(?:ed|ing)|pathognomonic\s+(?:of|for)|(?:consistent|compatible|in\s+keeping)\s+with|"
    r"indicat(?:ive\s+of|ing)|characteristic\s+(?:of|for)|typical\s+(?:of|for))\s+"
    r"(?:the\s+|a\s+|an\s+)?(?:diagnosis\s+of\s+|presence\s+of\s+)?"
    r"(?!(?:by|in|on|that|with|at|to|via|as|this|these|our|his|her)\b)(?P<name>[^.;:()\n]+)",
    re.IGNORECASE,
)
_NAME_ENDS = re.compile(
    r"\s+(?:which|that|who|was|were|is|are|has|have|after|before|because|based|by\s+means|on\s+the\s+basis)\b|,\s*(?:and|with|so|thus)\b",
    re.I,
)
_SYNTHESIS = re.compile(r"^Final diagnosis$", re.MULTILINE)


class RulesTestModel:
    """A test model that repeats what it is told.

    Image turns are answered with the sentence that this baseline sees no images. The synthesis repeats the disclosed
    findings as reasoning, and names a diagnosis only when a disclosed key finding states one undenied. Nothing is
    inferred, so that every score above it is something a model added.
    """

    name = RULES_BASELINE
    engine = "rules"

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        """Give the rules' answer to the last message; never fails on a staged prompt."""
        asked = request.messages[-1]
        if _SYNTHESIS.search(asked.text):
            text = _synthesis(request.messages)
        elif asked.images:
            text = NOT_ASSESSED
        else:
            text = _restated(asked)
        return ModelReply(text=text, facts=self._facts(text))

    def answer(self, request: ModelRequest, record: type[R], check=None) -> "StructuredReply[R] | FailedCall":
        """Give a FailedCall: other roles have rules of their own and never ask this model."""
        detail = "The rules test model answers staged prompts only."
        return FailedCall(reason="unavailable", detail=detail, facts=self._facts(""))

    def _facts(self, text: str) -> CallFacts:
        return CallFacts(model_asked=self.name, model_answered=self.name, stop_reason="stop", raw_text=text)


def _restated(message: Message) -> str:
    lines = [_sentence(text) for _, text in _findings(message)]
    return " ".join(lines) if lines else "No information was given."


def _synthesis(messages: tuple[Message, ...]) -> str:
    findings = [finding for message in messages if message.role == "user" for finding in _findings(message)]
    reasoning = " ".join(_sentence(text) for _, text in findings) or "No finding was disclosed."
    keys = [text for field, text in findings if field == "Key findings"]
    names = dict.fromkeys(name for text in keys for name in named_diagnoses(text))
    diagnosis = " ".join(_sentence(name) for name in names) or NO_DIAGNOSIS
    return f"Diagnostic reasoning\n{reasoning}\n\nFinal diagnosis\n{diagnosis}"


def named_diagnoses(text: str) -> list[str]:
    """Give what a finding's words name as established: `consistent with X`, `confirmed X`; undenied, unsuspected."""
    names: list[str] = []
    for start, end in ((r[0], r[1]) for r in split_sentences(text)):
        sentence = text[start:end]
        for match in _NAMES_DIAGNOSIS.finditer(sentence):
            name = _NAME_ENDS.split(match["name"])[0].strip(" ,")
            context = context_of(sentence, match.start("name"), match.start("name") + len(name))
            if name and context.assertion is Assertion.STATED and not context.is_family:
                names.append(name)
    return names


def _findings(message: Message) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for _, block in _FENCED.findall(message.text):
        field = ""
        for line in block.splitlines():
            if heading := _FIELD.match(line):
                field = heading.group(1)
            elif line.startswith("- "):
                found.append((field, line[2:].strip()))
    return found


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


_: type[ChatModel] = RulesTestModel
