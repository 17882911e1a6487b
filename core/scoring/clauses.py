"""Sentences, clauses and lists of clinical English, split so that every part keeps its meaning.

A part keeps its negation, side, level, numbers with units, and its modifiers with their head: `no effusion or
pneumothorax` gives `no effusion` and `no pneumothorax`, `right and left effusions` gives both sides.
"""

import re

from core.language.sentences import split_sentences

_BULLET = re.compile(r"^\s*(?:[-*\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+")
_MARKUP = re.compile(r"\*\*|__|`|^#+\s*", re.MULTILINE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|will|would|should|does|did|do|shows?|showed|shown|"
    r"demonstrates?|demonstrated|reveals?|revealed|suggests?|suggested|supports?|supported|indicates?|indicated|"
    r"confirms?|confirmed|excludes?|excluded|makes?|made|argues?|points?|favou?rs?|explains?|explained|remains?|"
    r"occurs?|occurred|rose|fell|led|leads?|appears?|appeared|contains?|contained|lacks?|developed|presented|"
    r"represents?|represented|rules?|ruled|localises?|localizes?|reflects?|fits?|involves?|involved|stained|tested|"
    r"measured|measures|extended|extends|originated|grew|yielded|resolved|improved|worsened)\b",
    re.IGNORECASE,
)
_CLAUSE_BREAK = re.compile(
    r"\s*;\s+|,?\s+(?:but|whereas|while|although|though|however)\s+|,\s+(?:and|so|which|who|whose)\s+|\s+and\s+",
    re.IGNORECASE,
)
_PREDICATE_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|contains?|contained|enters?|entered|encases?|encased|erodes?|eroded|"
    r"invades?|invaded|extends?|extended|measures?|measured|labels?|shows?|showed|fills?|filled|occupies|occupied|"
    r"surrounds?|displaces?|displaced|compresses|compressed|protrudes?|communicates?)\b",
    re.IGNORECASE,
)
_PREDICATE = re.compile(rf"(?:\w+ly\s+)?{_PREDICATE_VERB.pattern}", re.IGNORECASE)
MAX_SUBJECT_WORDS = 6
_CONCEDING = re.compile(
    r"(?P<concession>(?:although|though|while|whereas|even though)\s[^,;]+),\s(?P<rest>[^;]+)", re.IGNORECASE
)
_LIST_BREAK = re.compile(
    r"\s*[;,]\s*(?:and|or|nor|as well as|plus)\s+|\s*[;,]\s+|\s+(?:and|or|nor|as well as|plus)\s+", re.IGNORECASE
)
_NEGATION_HEAD = re.compile(
    r"^(?:no|without|neither|not|absence of|absent|negative for|free of|lack of|denies|denied)\b", re.IGNORECASE
)
_NEGATION_WORD = re.compile(
    r"^(?:(?:there (?:is|are|was|were) )?(?:no evidence of|no signs? of|no|without(?: evidence of)?|neither|absence of|"
    r"negative for|free of|lack of))\b\s*",
    re.IGNORECASE,
)
_CONNECTING = re.compile(
    r"^(?:(?:and|or|but|with|also|thus|therefore|hence|so|then|as well as|plus|although|though|while|whereas|"
    r"however|until|"
    r"which|that|where|moreover|furthermore|additionally|in addition|further)(?:\s*,\s*|\s+))+",
    re.IGNORECASE,
)
_POLES = (
    frozenset({"right", "left"}),
    frozenset({"right-sided", "left-sided"}),
    frozenset({"upper", "lower", "middle"}),
    frozenset({"superior", "inferior"}),
    frozenset({"anterior", "posterior"}),
    frozenset({"medial", "lateral"}),
    frozenset({"proximal", "distal"}),
    frozenset({"dorsal", "ventral"}),
    frozenset({"systolic", "diastolic"}),
)
_ADJECTIVE = re.compile(
    r"(?:ed|al|ic|ous|ar|ive|ary|ish|less|like|oid|some|ible|able|ior|iform|shaped|sized|dense|intense|echoic|"
    r"lucent|opaque)$",
    re.IGNORECASE,
)
_ADJECTIVE_WORDS = frozenset(
    "large small tiny big huge giant round flat soft hard firm dark light pale white black red blue brown "
    "yellow purple pink grey gray green thick thin deep shallow wide narrow long short high low upper "
    "lower middle left right mild moderate severe acute chronic diffuse focal smooth rough dense loose "
    "fine coarse tender tense raised multiple many few several single solitary bilateral unilateral "
    "slight marked irregular regular well poorly highly slightly more less non shiny dull warm cold early "
    "late new old prominent transparent translucent fluctuant malignant confluent adjacent redundant "
    "persistent recurrent patent abundant fluorescent enhancing existing obstructing infiltrating "
    "surrounding underlying overlying fungating ulcerating protruding bulging branching budding enlarging "
    "proliferating necrotizing necrotising caseating nonenhancing occluding scaling radiating discrete "
    "benign doughy fleshy spongy patchy hazy cloudy sessile mobile immobile sparse symmetric".split()
)
_NOUNS_LIKE_ADJECTIVES = frozenset(
    "canal material hospital interval signal crystal animal bed seed renal_pelvis scar bar collar molar "
    "medial_wall clinic topic total mural pedicle vesicle nodular_area articular_surface axial_skeleton "
    "pallor humor".split()
)
_PREPOSITION = re.compile(
    r"^(?:in|at|on|of|from|within|over|near|during|after|before|around|along|between|through|throughout|"
    r"towards?|to|into|about|behind|"
    r"beneath|under|above|below|across|by|for|up to|more|most|less|extending|involving|predominantly|"
    r"especially|particularly|mainly|mostly|including|measuring)\b",
    re.IGNORECASE,
)
_ENUMERATES = re.compile(
    r"\b(?:affecting|involving|including|such as|consisting of|composed of|comprising|namely)\b", re.IGNORECASE
)
_ENDS_OPEN = re.compile(
    r"\b(?:in|at|on|of|from|within|over|near|during|after|before|around|along|between|through|to|into|by|for|"
    r"with|the|an?|both|either)$",
    re.IGNORECASE,
)


def strip_markup(text: str) -> str:
    """Give a line without list bullets, numbering and emphasis marks."""
    return _MARKUP.sub("", _BULLET.sub("", text)).strip()


MAX_SENTENCE = 800
"""Characters; a longer run without a full stop is cut at white space, since patterns over it would take too long."""


def sentences_of(text: str) -> list[str]:
    """Give the sentences of a text, each verbatim (bullets and emphasis included), in order; empty gives none.

    A run of more than MAX_SENTENCE characters without an end is cut at white space.
    """
    pieces = []
    for found in split_sentences(text):
        start = found.start
        while found.end - start > MAX_SENTENCE:
            cut = text.rfind(" ", start + 1, start + MAX_SENTENCE)
            cut = cut if cut > start else start + MAX_SENTENCE
            pieces.append(text[start:cut].strip())
            start = cut
        pieces.append(text[start : found.end].strip())
    return [piece for piece in pieces if piece]


def split_clauses(sentence: str) -> list[str]:
    """Give the clauses of a sentence that can stand alone: both sides of a break must hold a verb.

    A side without a verb, or without a subject of its own (`was considered but is unlikely`), stays with its neighbour,
    so that lists and modifiers are not torn from their head.
    """
    pieces, start = [], 0
    conceding = _CONCEDING.match(sentence)
    for found in _CLAUSE_BREAK.finditer(sentence):
        before, after = sentence[start : found.start()], sentence[found.end() :]
        following = _CLAUSE_BREAK.split(after, maxsplit=1)[0]
        stands_alone = _VERB.search(before) and _VERB.search(following) and not _VERB.match(following)
        if (not stands_alone and ";" not in found.group()) or _is_inside_brackets(sentence, found.start()):
            continue
        pieces.append(before)
        start = found.end()
    pieces.append(sentence[start:])
    if conceding and _VERB.search(conceding.group("rest")) and pieces[0].startswith(conceding.group("concession")):
        pieces[:1] = [conceding.group("concession"), pieces[0][conceding.end("concession") :]]
    return [piece for piece in (clean(piece) for piece in pieces) if piece]


def _is_inside_brackets(text: str, at: int) -> bool:
    return text.count("(", 0, at) + text.count("[", 0, at) > text.count(")", 0, at) + text.count("]", 0, at)


def clean(phrase: str) -> str:
    """Give a phrase without surrounding punctuation, bullets and leading connecting words."""
    phrase = strip_markup(re.sub(r"\s+", " ", phrase)).strip(" ,;:.!?-")
    phrase = _CONNECTING.sub("", phrase)
    return phrase.strip(" ,;:.")


def _is_adjective(word: str) -> bool:
    word = re.split(r"-", word.lower().strip("()"))[-1]
    if word in _ADJECTIVE_WORDS:
        return True
    return word not in _NOUNS_LIKE_ADJECTIVES and bool(_ADJECTIVE.search(word))


def _pole(word: str) -> frozenset[str] | None:
    return next((poles for poles in _POLES if word.lower() in poles), None)


def split_list(phrase: str) -> list[str]:
    """Give the members of a coordinated noun phrase, each with the words it shares with the others.

    Adjectives in a row stay with their noun (`round, firm mass`); opposite places are expanded over their noun (`right
    and left effusions`); a leading negation is given to each member of its list. A phrase without a list gives itself.
    """
    negation = _NEGATION_WORD.match(phrase)
    body = phrase[negation.end() :] if negation else phrase
    members = _with_subjects(_expand_poles(_split_outside_brackets(body)))
    # `no necrosis, and surrounding fibrosis` denies the necrosis only; `no necrosis or fibrosis` denies both.
    is_shared = not (len(members) == 2 and re.search(r",\s+and\s+", body) and not re.search(r"\bn?or\b", body))
    merged: list[str] = []
    waiting = ""
    for position, member in enumerate(members):
        words = member.split()
        if position < len(members) - 1 and _describes_what_follows(words, members[position + 1]):
            waiting = f"{waiting} {member}," if waiting else f"{member},"
            continue
        merged.append(f"{waiting} {member}".strip() if waiting else member)
        waiting = ""
    if waiting:
        merged.append(waiting.rstrip(","))
    if len(merged) > 1 and all(_is_adjective(word) for word in merged[-1].replace(",", "").split()):
        # `regular at 40 per minute and narrow`: what only describes stays with what it describes.
        merged[-2:] = [f"{merged[-2]}, {merged[-1]}"]
    if not negation:
        return [clean(member) for member in merged if clean(member)]
    cue = "without" if negation.group().lower().startswith("without") else "no"
    kept = [member for member in (clean(member) for member in merged) if member]
    return [
        member
        if _NEGATION_HEAD.match(member) or (position and not is_shared)
        else f"{cue} {re.sub(r'^(?:an?|the|any) ', '', member)}"
        for position, member in enumerate(kept)
    ]


def _with_subjects(members: list[str]) -> list[str]:
    """Give predicates the subject of the member before: `sac is right of midline`, `sac contains the stomach`."""
    found: list[str] = []
    subject = ""
    for member in members:
        if _PREDICATE.match(member) and subject:
            found.append(f"{subject} {member}")
            continue
        verb = _VERB.search(member) or _PREDICATE_VERB.search(member)
        words = member[: verb.start()].split() if verb else []
        subject = " ".join(words) if 0 < len(words) <= MAX_SUBJECT_WORDS else ""
        found.append(member)
    return found


def _describes_what_follows(words: list[str], following: str) -> bool:
    """True for `round` before `firm mass`; not for a result (`CD34 negative`), a predicate, or before a denial."""
    if not words or not _is_adjective(words[-1]) or _NEGATION_HEAD.match(following):
        return False
    is_result = len(words) > 1 and words[-1].lower() in ("positive", "negative")
    return not is_result and not _VERB.search(" ".join(words))


def _split_outside_brackets(text: str) -> list[str]:
    """Give the members of a list; a break that would leave a torn end (`in leads III | V1-4`) is none."""
    pieces, start = [], 0
    for found in _LIST_BREAK.finditer(text):
        before, after = text[start : found.start()], text[found.end() :]
        following = _LIST_BREAK.split(after, maxsplit=1)[0]
        if _ENUMERATES.search(before):
            continue
        is_thousand = before[-1:].isdigit() and found.group() == "," and after[:1].isdigit()
        is_torn = (
            _PREPOSITION.match(following) or _ENDS_OPEN.search(before) or not re.search(r"[^\W\d_]{3,}", following)
        )
        if is_thousand or is_torn or _is_inside_brackets(text, found.start()):
            continue
        pieces.append(before)
        start = found.end()
    pieces.append(text[start:])
    return [piece.strip() for piece in pieces if piece.strip()]


def _expand_poles(members: list[str]) -> list[str]:
    """Give `[mass at the right, left bifurcation]` as a mass at each; lists without opposite places as they are."""
    expanded: list[str] = []
    shared = ""
    for position, member in enumerate(members):
        words = (shared + member).split()
        shared = ""
        following = members[position + 1].split() if position + 1 < len(members) else []
        poles = _pole(words[-1]) if words else None
        if poles and len(following) > 1 and following[0].lower() in poles:
            shared = "".join(f"{word} " for word in words[:-1])
            words += following[1:]
        expanded.append(" ".join(words))
    return expanded
