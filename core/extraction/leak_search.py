"""Where leak terms stand in a text, whatever their inflection, hyphens, word order and spelling."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.extraction.anatomy import is_anatomy
from core.extraction.case_text import level
from core.extraction.leak_terms import LeakTerm, Strength
from core.extraction.vocabulary import DISEASE
from core.language.terms import Token, stem, tokenise

_PREFIX = re.compile(r"^(?:anti|non|pre|post|peri|neuro|micro|macro|pseudo|bi|multi)")
_FAMILY_ENDING = re.compile(
    r"(?:itis|itic|ices|ix|ectomy|ectomies|iform|oma|omas|omata|omatous|osis|otic|oses|us|ous|ar|al|ular|emia|emic|"
    r"penia|penic|pathy|pathic|trix|thrix|"
    r"ectom|itid|is|ic|y|ies|s|olith|oliths|ial|ia|iasis|otomy)$"
)
# Blood cells and clotting proteins share their root with diseases they do not name.
_LABORATORY = re.compile(
    r"(?:anti-?|pro)?thrombins?|(?:thrombo|leu[ck]o|erythro|lympho|mono|granulo|reticulo)cytes?|(?:neutro|eosino|"
    r"baso)phils?",
    re.IGNORECASE,
)
_FEWEST_ROOT = 6
_SLACK = 2


class Found(NamedTuple):
    """A term found in a text: `text[start:end]`."""

    term: LeakTerm
    start: int
    end: int


def root(word: str) -> str:
    """Give the root that a family of clinical words shares (`appendicitis`, `appendix`: `append`), 6 letters or more.

    Empty when the word is too short to be told apart by its root.
    """
    word = _PREFIX.sub("", word)
    shorter = _FAMILY_ENDING.sub("", word)
    kept = shorter if len(shorter) >= _FEWEST_ROOT else word[: max(_FEWEST_ROOT, len(shorter))]
    return kept if len(kept) >= _FEWEST_ROOT else ""


class LeakSearch:
    """Looks for the terms of one case."""

    def __init__(self, terms: Sequence[LeakTerm]) -> None:
        self.terms = terms
        self._by_first: dict[str, list[LeakTerm]] = {}
        self._roots: dict[str, LeakTerm] = {}
        self._short = {term.text: term for term in terms if term.is_short_form}
        for term in terms:
            if term.is_short_form:
                continue
            for one in set(term.stems):
                self._by_first.setdefault(one, []).append(term)
            if len(term.stems) == 1 and term.strength >= Strength.COMPONENT and " " not in term.text:
                found = root(term.text.lower()) if DISEASE.fullmatch(term.text) else ""
                if found:
                    self._roots.setdefault(found, term)

    def find(self, text: str) -> list[Found]:
        """Give the hits in reading order; where hits overlap, the strongest and longest stays."""
        plain = level(text)
        tokens = _with_joined(tokenise(plain), plain)
        hits: list[Found] = []
        for at, token in enumerate(tokens):
            for term in self._by_first.get(token.stem, ()):
                if end := _window(tokens, at, term.stems):
                    hits.append(Found(term, token.start, end))
            word = _PREFIX.sub("", token.word)
            if is_anatomy(token.stem) or _LABORATORY.fullmatch(token.word):
                continue
            for size in range(_FEWEST_ROOT, min(len(word), 14) + 1):
                if term := self._roots.get(word[:size]):
                    hits.append(Found(term, token.start, token.end))
        for short, term in self._short.items():
            for match in re.finditer(rf"(?<![\w]){re.escape(short)}s?(?![\w])", plain):
                hits.append(Found(term, match.start(), match.end()))
        return _strongest(hits)


def _with_joined(tokens: Sequence[Token], plain: str) -> list[Token]:
    """Give the tokens and, after two that a hyphen parts (`leio-myoma`), the word they make together."""
    found: list[Token] = []
    for at, token in enumerate(tokens):
        found.append(token)
        before = tokens[at - 1] if at else None
        if before and plain[before.end : token.start] == "-" and before.word.isalpha() and token.word.isalpha():
            word = before.word + token.word
            found.append(Token(word, stem(word), before.start, token.end))
    return found


def _window(tokens: Sequence[Token], at: int, stems: tuple[str, ...]) -> int | None:
    """Give where a term ends that begins at a token: all its stems within its length and two words."""
    if len(stems) == 1:
        return tokens[at].end
    wanted = set(stems)
    left = wanted - {tokens[at].stem}
    for token in tokens[at + 1 : at + len(stems) + _SLACK]:
        left.discard(token.stem)
        if not left:
            return token.end
    return None


def _strongest(hits: list[Found]) -> list[Found]:
    kept: list[Found] = []
    for hit in sorted(hits, key=lambda one: (-one.term.strength, -(one.end - one.start), one.start)):
        if all(hit.end <= other.start or hit.start >= other.end for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda one: one.start)
