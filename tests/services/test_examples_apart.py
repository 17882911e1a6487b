"""Results of the demonstration study never enter the numbers of real cases."""

from core.services import importing, pipeline, results
from tests.services import small_article


def cases_of(workspace) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in results.scores(workspace):
        found.setdefault(row.setting, set()).add(row.case_id)
    return found


def test_a_setting_with_a_real_case_counts_its_real_cases_only(workspace, tmp_path) -> None:
    folder = small_article.write(tmp_path / "example", pmcid="PMC900001")
    list(importing.import_paths(workspace, [folder], is_demonstration=True))
    pipeline.run_pipeline(workspace, ["PMC900001"])
    assert cases_of(workspace) == {"reference": {"PMC900001"}, "rules baseline": {"PMC900001"}}
    importing.import_upload(workspace, small_article.files(pmcid="PMC900002", title="Cough in a cook"))
    pipeline.run_pipeline(workspace, ["PMC900002"])
    assert cases_of(workspace) == {"reference": {"PMC900002"}, "rules baseline": {"PMC900002"}}
