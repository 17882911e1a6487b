"""What a blinded reviewer may read of an answer: the words, without the looks and the names that give a model away."""

import re
import unicodedata
from collections.abc import Iterable

REMOVED = "[name removed]"

_HEADING = re.compile(r"^\s{0,3}#{1,6}\s*(.+?)\s*#*\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+•‣◦▪●–—]|\(?\d{1,2}[.)])\s+")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|\*|`+)(?=\S)(.+?)(?<=\S)\1")
# Only forms that can be nothing but a system: "Claude syndrome" and "Gemini" alone are words of medicine and the sky.
_TAIL = r"(?:[.\-]?\w+)*"
_KNOWN_NAMES = re.compile(
    rf"\b(?:chat\s?gpt|gpt-?\d{_TAIL}|o\d-(?:mini|preview|pro)|open\s?ai|anthropic|deepseek{_TAIL}|"
    rf"claude[\s-]+(?:haiku|sonnet|opus|instant|\d)(?:[\s.\-]?\d+)*|gemini[\s-]+\d{_TAIL}(?:\s(?:pro|flash|ultra))?|"
    rf"gemini[\s-]+(?:pro|flash|ultra)|med-?gemini|medgemma{_TAIL}|qwen{_TAIL}|llama[\s-]?\d{_TAIL}|llava{_TAIL}|"
    rf"mi[sx]tral{_TAIL}|grok[\s-]?\d{_TAIL})",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b((?:I am|I'm|I’m|as|here is)\s+)(claude|gemini|llama|grok|copilot)\b", re.IGNORECASE)


def plain_answer(text: str) -> str:
    """Give the answer in one uniform look: no headings, emphasis, tables, rules, emoji; every list mark is `- `.

    The words and their order stay. Blank lines between paragraphs stay single.
    """
    lines = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if _RULE.match(line) or (_TABLE_RULE.match(line) and "|" in line):
            continue
        heading = _HEADING.match(line)
        if heading:
            line = heading.group(1)
        elif line.strip().startswith("|") and line.strip().endswith("|"):
            line = "; ".join(cell.strip() for cell in line.strip().strip("|").split("|") if cell.strip())
        line = _BULLET.sub("- ", line)
        line = re.sub(r"^\s*>\s?", "", line)
        for _ in range(2):
            line = _EMPHASIS.sub(lambda match: match.group(2), line)
        line = "".join(letter for letter in line if not _is_pictogram(letter))
        lines.append(re.sub(r"[ \t]+", " ", line).strip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _is_pictogram(letter: str) -> bool:
    code = ord(letter)
    if code >= 0x1F000 or letter in "\ufe0f\u200d":
        return True
    return unicodedata.category(letter) == "So" and 0x2600 <= code <= 0x2BFF


def without_names(text: str, names: Iterable[str]) -> str:
    """Give the text with model and provider names taken out.

    Args:
        text: an answer.
        names: what this dialogue's model is called in the registry and by its provider. A name without a digit or
            hyphen (`reference`) is an ordinary word and stays.
    """
    for name in sorted({n for n in names if len(n) > 3 and re.search(r"[\d-]", n)}, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", REMOVED, text, flags=re.IGNORECASE)
    text = _KNOWN_NAMES.sub(REMOVED, text)
    return _SELF.sub(lambda match: match.group(1) + REMOVED, text)
