"""The two parts of a synthesis answer: diagnostic reasoning and final diagnosis."""

import re
from dataclasses import dataclass

# Matched against the start of one line, white space collapsed.
_HEADING = re.compile(
    r"(?:[#*_]{1,6} ?|\(?\d{1,2}[.)] ?){0,4}"
    r"(?:the )?(?P<name>diagnostic reasoning|reasoning|final diagnos[ie]s)"
    r"(?: ?[*_]{0,3} ?: ?[*_]{0,3} ?|[*_]{0,3} ?$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SynthesisParts:
    """What is read for each target.

    Attributes:
        reasoning: text under "Diagnostic reasoning"; the whole text when that heading is missing.
        diagnosis: text under "Final diagnosis"; the whole text when that heading is missing.
        has_headings: True when both headings were found.
    """

    reasoning: str
    diagnosis: str
    has_headings: bool


def split_synthesis(text: str) -> SynthesisParts:
    """Give the two parts of a synthesis answer; a missing heading gives the whole text for its part.

    A heading stands on a line of its own, with or without marks of emphasis, numbering or a colon; text after the
    colon belongs to its part. Text under the same heading twice is joined.
    """
    parts: dict[str, list[str]] = {"reasoning": [], "diagnosis": []}
    current: list[str] | None = None
    for line in text.splitlines():
        collapsed = " ".join(line.split())
        heading = _HEADING.match(collapsed)
        if heading is not None:
            current = parts["reasoning" if "reasoning" in heading.group("name").lower() else "diagnosis"]
            current.append(collapsed[heading.end() :])
        elif current is not None:
            current.append(line)
    reasoning, diagnosis = ("\n".join(parts[key]).strip() for key in ("reasoning", "diagnosis"))
    return SynthesisParts(
        reasoning=reasoning if parts["reasoning"] else text.strip(),
        diagnosis=diagnosis if parts["diagnosis"] else text.strip(),
        has_headings=bool(parts["reasoning"] and parts["diagnosis"]),
    )
