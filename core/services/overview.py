"""Where a study stands, in a few numbers."""

from dataclasses import dataclass

from core.services.cases import list_cases
from core.services.workspace import Workspace
from core.storage import dialogues, evaluations, judgements
from core.storage.review_studies import list_assignments


@dataclass(frozen=True)
class Overview:
    """Counts of the whole study.

    Attributes:
        articles: articles stored.
        cases: of these, how many have been extracted.
        released: of these, how many a model may be run on.
        dialogues: of all kinds.
        evaluations: atomic evaluations.
        judgements: by all judges.
        assignments: dialogues given to reviewers.
        committed: of these, how many are committed.
    """

    articles: int
    cases: int
    released: int
    dialogues: int
    evaluations: int
    judgements: int
    assignments: int
    committed: int

    @property
    def is_empty(self) -> bool:
        """True when nothing has been imported."""
        return self.articles == 0


def overview(workspace: Workspace) -> Overview:
    """Give the counts; all 0 for an empty study."""
    rows = list_cases(workspace)
    with workspace.store.read() as session:
        assignments = list_assignments(session)
        return Overview(
            articles=len(rows),
            cases=sum(row.version is not None for row in rows),
            released=sum(row.is_released for row in rows),
            dialogues=dialogues.count_dialogues(session),
            evaluations=evaluations.count_evaluations(session),
            judgements=judgements.count_judgements(session),
            assignments=len(assignments),
            committed=sum(assignment.is_committed for assignment in assignments),
        )
