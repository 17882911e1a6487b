"""The disclosure protocol as code: plans, runs of a test model, reference dialogues, dialogues from elsewhere."""

from core.dialogue.exchange import answer_template, dialogues_from_jsonl, dialogues_to_jsonl, import_answers
from core.dialogue.plan import build_plan, plan_sha256
from core.dialogue.reference import write_reference, write_reference_with_model
from core.dialogue.rules_model import RULES_BASELINE, RulesTestModel
from core.dialogue.run import run_dialogue

__all__ = [
    "RULES_BASELINE",
    "RulesTestModel",
    "answer_template",
    "build_plan",
    "dialogues_from_jsonl",
    "dialogues_to_jsonl",
    "import_answers",
    "plan_sha256",
    "run_dialogue",
    "write_reference",
    "write_reference_with_model",
]
