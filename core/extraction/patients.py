"""How many patients an article is about, and whether they are human."""

import re

from core.domain.article import CaseReport, PartKind
from core.extraction.case_text import CaseText, level
from core.extraction.demographics import find_patient_phrase

_MORE_THAN_ONE_TITLE = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:\w+ ){0,3}?(?:cases|patients|siblings|brothers|"
    r"sisters|twins|individuals|children)\b|"
    r"\bcase series\b|\bseries of\b|\breport of (?:two|three|four|five|\d+)\b|\b(?:two|three|four|five|"
    r"\d+)[- ]case\b|\b(?:two|three|four) case reports\b|"
    r"\bcases? reports of (?:two|three|four)\b",
    re.IGNORECASE,
)
_NUMBERED_CASE = re.compile(
    r"^\W*(?:clinical )?(?:case|patient)(?: report| presentation)?(?: no\.?| number| #)? ?(\d{1,2}|[IVX]{1,4}|one|"
    r"two|three|four|five|[A-E])\b",
    re.IGNORECASE,
)
_ORDINAL_CASE = re.compile(r"\bthe (second|third|fourth) (?:case|patient)\b", re.IGNORECASE)
_NUMBERS = {
    "i": 1,
    "ii": 2,
    "iii": 3,
    "iv": 4,
    "v": 5,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "a": 1,
    "b": 2,
    "c": 3,
    "d": 4,
    "e": 5,
}
_ANIMAL = re.compile(
    r"\b(?:dogs?|canine|puppy|puppies|bitch|cats?(?!-scratch| scratch| eye)|feline|kitten|horses?|equine|mares?|"
    r"foals?|stallion|cows?|bovine|cattle|calf|calves|heifer|"
    r"bulls?|sheep|ovine|ewes?|lambs?|goats?|caprine|pigs?|swine|porcine|sows?|rabbits?|ferrets?|hamster|"
    r"guinea pig|parrots?|cockat\w+|budgerigar|pigeons?|"
    r"chickens?|poultry|hens?|broilers?|ducks?|turkeys?|geese|falcons?|birds?|avian|turtles?|tortoises?|snakes?|"
    r"lizards?|iguana|reptiles?|dolphins?|whales?|seals?|"
    r"monkeys?|macaques?|elephants?|lions?|tigers?|bears?|deer|alpacas?|llamas?|camels?|donkeys?|koi|trout|salmon|"
    r"fish|mice|rats?|"
    r"terrier|retriever|shepherd dog|poodle|bulldog|spaniel|labrador|shorthair|breed|neutered|spayed|castrated|"
    r"veterinar\w+|the owners?|plants?|cultivars?|crops?|genotypes?)\b",
    re.IGNORECASE,
)
_DECISIVE_ANIMAL = re.compile(
    r"\b(?:veterinar\w+|neutered|spayed|castrated (?:male|dog|cat)|canine|feline|equine|bovine|ovine|caprine|"
    r"porcine|avian|owners? (?:reported|noticed|noted|declined)|in (?:an? )?(?:dogs?|cats?|"
    r"horses?|mares?|cows?|calf|calves|goats?|sheep|pigs?|chickens?|birds?|rabbits?|parrots?))\b",
    re.IGNORECASE,
)
_HUMAN = re.compile(
    r"\b(?:wom[ae]n|m[ae]n|boys?|girls?|gentleman|lady|patients?|infant|newborn|mother|father|he|she|pregnan\w+|mr|"
    r"mrs|ms)\b",
    re.IGNORECASE,
)


def count_patients(text: CaseText) -> int:
    """Give how many patients the case sections report: numbered cases, or the number the title names.

    Relatives and donors mentioned beside one patient do not count. 0 when no patient is described at all.
    """
    numbers: set[int] = set()
    for part in text.article.parts:
        if part.kind is not PartKind.SECTION:
            continue
        for name in part.path:
            if match := _NUMBERED_CASE.match(level(name)):
                numbers.add(_number(match.group(1)))
    for one in text.narrative:
        if match := _NUMBERED_CASE.match(one.plain):
            following = one.plain[match.end() :]
            if re.match(r"\s*(?:[.:\-(]|$|\s+(?:an?|was)\b)", following):
                numbers.add(_number(match.group(1)))
        elif match := _ORDINAL_CASE.search(one.plain):
            if find_patient_phrase(one.plain):
                numbers.add({"second": 2, "third": 3, "fourth": 4}[match.group(1).lower()])
                numbers.add(1)
    numbers.discard(0)
    introduced = [one for one in text.narrative if find_patient_phrase(one.plain)]
    if len(numbers) > 1:
        return len(numbers)
    if introduced and len(introduced) > 1 and any(_MORE_THAN_ONE_TITLE.search(one.plain) for one in text.title):
        return len(introduced)
    if introduced:
        return 1
    return 1 if any(re.search(r"\b(?:patient|he|she)\b", one.plain, re.IGNORECASE) for one in text.narrative) else 0


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 0)


def is_animal_case(article: CaseReport, text: CaseText) -> bool:
    """Tell whether the patient is an animal: the title or the case sections speak of one more than of a person."""
    head = " ".join([level(article.title), level(article.journal), *map(level, article.subjects)])
    body = " ".join(one.plain for one in text.narrative)
    decisive = len(_DECISIVE_ANIMAL.findall(head)) * 3 + len(_DECISIVE_ANIMAL.findall(body))
    animals = len(_ANIMAL.findall(head)) * 2 + len(_ANIMAL.findall(body))
    humans = len(_HUMAN.findall(body))
    return (
        decisive >= 2
        and animals >= 4
        and animals > 0.5 * humans
        or (decisive >= 1 and animals > humans and animals >= 3)
    )
