"""The words on screen for keys of the records: written for a clinician, the same as in the exports."""

from core.domain.case import Element, LeakAction, Verdict
from core.domain.dialogue import Stage
from core.domain.instrument import Dimension
from core.domain.items import Level, Target

_ELEMENTS = {
    Element.PATIENT_INFORMATION: "Patient information",
    Element.PRIMARY_CONCERN: "Primary concern",
    Element.PRESENT_ILLNESS: "Present illness",
    Element.MEDICAL_HISTORY: "Medical history",
    Element.FAMILY_HISTORY: "Family history",
    Element.PSYCHOSOCIAL_HISTORY: "Psychosocial history",
    Element.PHYSICAL_EXAMINATION: "Physical examination",
    Element.ROUTINE_LABS: "Routine laboratory findings",
    Element.KEY_FINDINGS: "Key findings",
    Element.DIAGNOSTIC_METHODS: "Diagnostic methods",
    Element.TIMELINE: "Timeline",
    Element.INTERVENTIONS: "Interventions (never disclosed)",
    Element.OUTCOME: "Outcome (never disclosed)",
}
_STAGES = {
    Stage.HISTORY: "History",
    Stage.EXAMINATION: "Examination and routine tests",
    Stage.IMAGE: "Image",
    Stage.SYNTHESIS: "Synthesis",
}
_TARGETS = {
    Target.FINAL_DIAGNOSIS: "Final diagnosis",
    Target.DIAGNOSTIC_REASONING: "Diagnostic reasoning",
    Target.IMAGE_FINDINGS: "Image findings",
}
_STEPS = {
    "import": "Import",
    "extract": "Extract and look for leaks",
    "reference": "Reference dialogue",
    "run": "Model dialogue",
    "evaluate reference": "Score the reference dialogue",
    "judge reference": "Judge the reference dialogue",
    "evaluate model": "Score the model dialogue",
    "judge model": "Judge the model dialogue",
}
_VERDICTS = {
    Verdict.BLOCKS: "blocks: the answer itself",
    Verdict.WARNS: "warns: gives it away in part",
    Verdict.NOTES: "notes: for information",
}


def element_name(element: Element) -> str:
    """Give an element's name on screen."""
    return _ELEMENTS[element]


def stage_name(stage: Stage) -> str:
    """Give a stage's name on screen."""
    return _STAGES[stage]


def target_name(target: Target) -> str:
    """Give a target's name on screen."""
    return _TARGETS[target]


def evaluator_name(evaluator: tuple[str, str]) -> str:
    """Give (decomposer, matcher) on screen; one name when one does both."""
    return " · ".join(dict.fromkeys(evaluator))


def level_name(level: Level) -> str:
    """Give a level's name on screen."""
    return level.value


def dimension_name(dimension: Dimension) -> str:
    """Give a dimension's name on screen."""
    return dimension.value.capitalize()


def step_name(step: str) -> str:
    """Give a run's step on screen; an unknown one as it is stored."""
    return _STEPS.get(step, step.capitalize())


def steps_in_order(steps: set[str]) -> list[str]:
    """Give steps in the order of the flow, unknown ones last."""
    known = list(_STEPS)
    return sorted(steps, key=lambda step: (known.index(step) if step in known else len(known), step))


def verdict_words(verdict: Verdict) -> str:
    """Give a leak verdict in words."""
    return _VERDICTS[verdict]


def action_words(action: LeakAction) -> str:
    """Give a leak action in words; an open hit says so."""
    return "open" if action is LeakAction.NONE else action.value


def count_of(n: int, one: str, many: str = "") -> str:
    """Give `1 figure`, `2 figures`."""
    return f"{n} {one if n == 1 else many or one + 's'}"


def plain(text: str) -> str:
    """Give text so that Markdown shows it as it is."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!$:|<>~" else c for c in text)
