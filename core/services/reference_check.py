"""Whether a case's reference dialogue keeps the reported diagnosis: looked at before a case is released."""

from dataclasses import dataclass

from core.dialogue import build_plan
from core.dialogue import write_reference as compose_reference
from core.domain.dialogue import DialogueKind
from core.domain.items import Target
from core.scoring.decompose_rules import RulesDecomposer
from core.scoring.evaluate import build_reference_set, evaluate_dialogue
from core.scoring.match_rules import RulesMatcher
from core.services.cases import article_of, get_case
from core.services.workspace import Workspace
from core.storage import dialogues
from core.storage import evaluations as store

__all__ = ["ReferenceCheck", "check_reference"]


@dataclass(frozen=True)
class ReferenceCheck:
    """What became of the diagnosis items in the reference dialogue of a case version.

    Attributes:
        n_items: diagnosis items of the article.
        lost: their texts that the dialogue does not tell; empty when all are there.
        unscored: why it cannot be said; empty when it can.
        dialogue_id: the stored dialogue that was looked at; empty when the rules' one was composed for this.
    """

    n_items: int
    lost: tuple[str, ...] = ()
    unscored: str = ""
    dialogue_id: str = ""


def check_reference(workspace: Workspace, case_id: str, version: int | None = None) -> ReferenceCheck:
    """Give which diagnosis items the reference dialogue of a case version loses, by the rules' matching.

    The newest stored reference dialogue of the version is looked at, with its newest evaluation when it has one; else
    the rules' dialogue is composed and evaluated here, and nothing is stored.

    Raises:
        NotFound: the case or version is not stored.
    """
    case = get_case(workspace, case_id, version)
    if not case.final_diagnosis:
        return ReferenceCheck(0, unscored="The article reports no final diagnosis that was found.")
    with workspace.store.read() as session:
        listed = dialogues.list_dialogues(session, case_id, case.version, DialogueKind.REFERENCE)
        dialogue = dialogues.get_dialogue(session, listed[-1].id) if listed else None
        evaluation = store.newest_evaluation(session, dialogue.id) if dialogue else None
    stored_id = dialogue.id if dialogue else ""
    if dialogue is None:
        dialogue = compose_reference(case, build_plan(case, article_of(workspace, case)))
    if evaluation is None:
        decomposer = RulesDecomposer()
        references = build_reference_set(case, decomposer)
        evaluation = evaluate_dialogue(dialogue, case, references, decomposer, RulesMatcher(), seed=0)
    result = evaluation.result(Target.FINAL_DIAGNOSIS)
    if result is None or result.unscored is not None:
        why = result.unscored.detail or result.unscored.reason if result and result.unscored else "not evaluated"
        return ReferenceCheck(0, unscored=why, dialogue_id=stored_id)
    told = {match.reference_id for match in result.matching.matches}
    lost = tuple(item.text for item in result.reference_items if item.id not in told)
    return ReferenceCheck(len(result.reference_items), lost, dialogue_id=stored_id)
