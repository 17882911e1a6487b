"""Whether an article reports several patients, and which text is about which."""

import re
from dataclasses import dataclass

from core.domain.article import CASE_ROLES, PartKind, SectionRole, SeparatePatient, Span
from core.jats.body import Draft
from core.language.sentences import split_sentences

_WORDS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten".split(), 1)}
_ORDINALS = {word: number for number, word in enumerate("first second third fourth fifth sixth".split(), 1)}
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_COUNTED = (
    r"(?:case|patient|proband|observation|subject)(?: reports?| presentation| description)?\s*(?:no\.?|number|#)?\s*"
    rf"(?P<number>\d{{1,2}}|[ivx]{{1,4}}|{'|'.join(_WORDS)}|[a-f])(?=[\s.,:;)\]–—-]|$)"
)
_TITLE = re.compile(rf"^(?:the\s+)?(?:{_COUNTED}|(?P<ordinal>{'|'.join(_ORDINALS)})\s+(?:case|patient))", re.IGNORECASE)
_RUN_IN = re.compile(rf"^{_COUNTED}", re.IGNORECASE | re.MULTILINE)
_SEVERAL = "two|three|four|five|six|seven|eight|nine|ten"
_MANY = re.compile(rf" (?:{_SEVERAL}) ")
_NEAR = 70
_TELLING = frozenset({SectionRole.INTRODUCTION, SectionRole.CASE, SectionRole.HISTORY, SectionRole.OTHER})
_STATED = re.compile(
    rf"\b(?:report|present|describe|discuss)(?:s|ed)?\s+(?:on\s+|here(?:in)?\s+|the\s+(?:cases?\s+of\s+)?)?(?P<many>{_SEVERAL})\s+"
    r"(?:\w+[\s-]){0,3}?(?:cases|patients|siblings|brothers|sisters|twins|children|infants|women|men|adults|individuals)\b",
    re.IGNORECASE,
)
_TITLED = re.compile(
    rf"\b(?:(?:report|description|presentation|series)\s+of\s+)?(?P<many>{_SEVERAL})\s+(?:\w+\s+){{0,2}}?"
    r"(?:cases?\b(?!\s+of\s+the\s+literature)|patients\b|siblings\b|case reports\b)",
    re.IGNORECASE,
)
_HYPHEN = r"[-\s\u2010\u2011]"
_PERSON = re.compile(
    rf"\b(?P<age>\d{{1,3}}){_HYPHEN}?(?P<unit>year|month|week|day)s?{_HYPHEN}old\b(?:[\s,-]+[\w-]+){{0,4}}?[\s,-]+"
    r"(?P<sex>man|woman|male|female|boy|girl|lady|gentleman)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:brothers?|sisters?|siblings?|mother|father|parents?|daughters?|sons?|cousins?|aunt|uncle|niece|nephew|grand\w+|"
    r"husband|wife|donor|relatives?|literature|et al|previously reported|control)\b",
    re.IGNORECASE,
)
_MALE = frozenset({"man", "male", "boy", "gentleman"})


@dataclass(frozen=True)
class FoundPatients:
    """Several patients with their text, or a warning that there may be several; neither when there is one."""

    patients: tuple[SeparatePatient, ...] = ()
    warning: str = ""


def find_patients(drafts: list[Draft], title: str) -> FoundPatients:
    """Tell the patients of an article apart: by section titles, by run-in heads, by who is introduced in the text.

    Only the case part is looked at; relatives beside an index patient do not count. Where neither titles nor heads
    part the text, two patients need both: a statement (`we report two cases`) and two introductions (`a 74-year-old
    man`) of different age or sex; one of the two alone gives a warning.
    """
    case = [draft for draft in drafts if draft.kind is PartKind.SECTION and draft.in_body and draft.role in CASE_ROLES]
    found = _by_titles(case) or _by_run_ins(case)
    if found:
        names = ", ".join(patient.name for patient in found)
        return FoundPatients(
            found, f"The article reports {len(found)} patients ({names}); one of them has to be picked."
        )
    introduced = _introduced(case)
    stated = _stated(drafts, title)
    if stated and len(introduced) >= 2:
        patients = _between(introduced)
        return FoundPatients(patients, f"The article reports {len(patients)} patients; one of them has to be picked.")
    if stated:
        return FoundPatients(
            warning=f"The article speaks of several patients ({stated!r}): check that the case is one patient's."
        )
    if len({sex for _, _, sex, _ in introduced}) > 1:
        names = "; ".join(name for *_, name in introduced)
        return FoundPatients(
            warning=f"The case part introduces several people ({names}): check that the case is one patient's."
        )
    return FoundPatients()


def _number(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("ordinal"):
        return _ORDINALS[groups["ordinal"].lower()]
    word = (groups.get("number") or "").lower()
    if word.isdigit():
        return int(word)
    return _WORDS.get(word) or _ROMAN.get(word) or (ord(word) - ord("a") + 1 if len(word) == 1 else None)


def _by_titles(case: list[Draft]) -> tuple[SeparatePatient, ...]:
    groups: dict[tuple[tuple[str, ...], int], list[Draft]] = {}
    names: dict[tuple[tuple[str, ...], int], str] = {}
    for draft in case:
        for depth, title in enumerate(draft.path):
            match = _TITLE.match(title)
            number = _number(match) if match else None
            if match and number is not None:
                key = (draft.path[:depth], number)
                groups.setdefault(key, []).append(draft)
                names.setdefault(key, match.group(0).strip())
                break
    parents = {parent for parent, _ in groups}
    for parent in parents:
        keys = [key for key in groups if key[0] == parent]
        if len(keys) >= 2:
            return tuple(
                SeparatePatient(name=names[key], spans=tuple(_whole(draft) for draft in groups[key])) for key in keys
            )
    return ()


def _by_run_ins(case: list[Draft]) -> tuple[SeparatePatient, ...]:
    spans: dict[int, list[Span]] = {}
    names: dict[int, str] = {}
    current: int | None = None
    for draft in case:
        heads = [(match.start(), number, match) for match in _RUN_IN.finditer(draft.text) if (number := _number(match))]
        if current is not None and (not heads or heads[0][0] > 0):
            spans[current].append(_stretch(draft, 0, heads[0][0] if heads else len(draft.text)))
        for place, (start, number, match) in enumerate(heads):
            end = heads[place + 1][0] if place + 1 < len(heads) else len(draft.text)
            spans.setdefault(number, []).append(_stretch(draft, start, end))
            names.setdefault(number, match.group(0).strip())
            current = number
    if len(spans) < 2:
        return ()
    return tuple(SeparatePatient(name=names[number], spans=tuple(spans[number])) for number in spans)


def _introduced(case: list[Draft]) -> list[tuple[Draft, int, bool, str]]:
    """Give (part, start of the sentence, is male, who) for each person introduced with age and sex, each once."""
    found: list[tuple[Draft, int, bool, str]] = []
    seen: set[tuple[str, str, bool]] = set()
    for draft in case:
        for match in _PERSON.finditer(draft.text):
            key = (match["age"], match["unit"].lower(), match["sex"].lower() in _MALE)
            start = _sentence_start(draft.text, match.start())
            if key in seen or _RELATIVE.search(draft.text[start : match.end()]):
                continue
            seen.add(key)
            found.append((draft, start, key[2], match.group(0)))
    return found


def _sentence_start(text: str, position: int) -> int:
    line = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    sentences = split_sentences(text[line : end if end >= 0 else len(text)])
    return max((line + one.start for one in sentences if line + one.start <= position), default=line)


def _stated(drafts: list[Draft], title: str) -> str:
    match = _TITLED.search(title)
    if match and "literature" not in title[: match.start()].lower():
        return match.group(0)
    for draft in drafts:
        if draft.kind is not PartKind.SECTION or not draft.in_body or draft.role not in _TELLING:
            continue
        for number in _MANY.finditer(draft.text):
            match = _STATED.search(draft.text[max(0, number.start() - _NEAR) : number.end() + _NEAR])
            if match:
                return match.group(0)
    return ""


def _between(introduced: list[tuple[Draft, int, bool, str]]) -> tuple[SeparatePatient, ...]:
    patients = []
    for number, (draft, start, _, who) in enumerate(introduced, 1):
        later = [begin for other, begin, _, _ in introduced[number:] if other is draft]
        begin = 0 if number == 1 else start
        spans = (_stretch(draft, begin, later[0] if later else len(draft.text)),)
        patients.append(SeparatePatient(name=f"Patient {number} ({who})", spans=spans))
    return tuple(patients)


def _whole(draft: Draft) -> Span:
    return Span(part=draft.id, start=0, end=len(draft.text))


def _stretch(draft: Draft, start: int, end: int) -> Span:
    return Span(part=draft.id, start=start, end=start + len(draft.text[start:end].rstrip()))
