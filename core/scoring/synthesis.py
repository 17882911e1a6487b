"""The two parts of a synthesis answer: diagnostic reasoning and final diagnosis."""

import re
from dataclasses import dataclass

_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*{1,3}|_{1,3}|\(?\d{1,2}[.)][ \t]*)*[ \t]*"
    r"(?P<name>(?:the[ \t]+)?(?:diagnostic[ \t]+reasoning|reasoning|final[ \t]+diagnos[ie]s))"
    r"[ \t]*(?:[*_]{0,3}[ \t]*:[ \t]*[*_]{0,3}(?P<rest>[^\n]*)|[*_]{1,3}[ \t]*|[ \t]*)$",
    re.IGNORECASE | re.MULTILINE,
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
    found = list(_HEADING.finditer(text))
    parts: dict[str, list[str]] = {"reasoning": [], "diagnosis": []}
    for position, heading in enumerate(found):
        end = found[position + 1].start() if position + 1 < len(found) else len(text)
        key = "reasoning" if "reasoning" in heading.group("name").lower() else "diagnosis"
        body = "\n".join(
            part for part in ((heading.group("rest") or "").strip(), text[heading.end() : end].strip()) if part
        )
        parts[key].append(body)
    reasoning, diagnosis = ("\n".join(parts[key]).strip() for key in ("reasoning", "diagnosis"))
    return SynthesisParts(
        reasoning=reasoning if parts["reasoning"] else text.strip(),
        diagnosis=diagnosis if parts["diagnosis"] else text.strip(),
        has_headings=bool(parts["reasoning"] and parts["diagnosis"]),
    )
