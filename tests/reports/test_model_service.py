"""Report pairs through a real provider client, against a server on this machine."""

import json
from dataclasses import replace

import pytest

from core.services import reports
from core.services.workspace import open_workspace
from core.settings import read_settings
from tests.llm.loopback import running_loopback
from tests.reports.test_readers import FROM_PREDICTION, FROM_REFERENCE, PREDICTION, REFERENCE
from tests.reports.test_service import HEADER

LINE = "P1,D,CT,A,Small cyst in the liver. No ascites.,Large cyst in the liver.\n"


@pytest.fixture
def served(tmp_path):
    with running_loopback() as server:
        registry = tmp_path / "models.toml"
        registry.write_text(
            f'[models."local"]\nengine = "openai"\nmodel = "local-model"\nbase_url = "{server.url}/v1"\n',
            encoding="utf-8",
        )
        workspace = open_workspace(replace(read_settings(tmp_path / "study"), models_file=registry))
        reports.import_pairs(workspace, (HEADER + LINE).encode(), "pairs.csv")
        yield workspace, server


def test_a_model_scores_a_pair_in_four_calls_and_the_reference_is_not_paid_twice(served) -> None:
    workspace, server = served
    server.behaviours = [json.dumps(r) for r in (REFERENCE, PREDICTION, FROM_REFERENCE, FROM_PREDICTION)]
    summary = reports.evaluate_pairs(workspace, evaluator="local")
    assert len(server.bodies) == 4
    line = reports.pair_line(workspace, summary.scored[0], "local")
    assert line["f1"] == pytest.approx(1 / 3)
    assert line["evaluator"] == "local"
    view = reports.report_pair(workspace, summary.scored[0], "local")
    assert [row.answer.quote for row in view.rows][:2] == ["cyst in the liver", "Large cyst"]

    other_model = LINE.replace(",A,", ",B,").replace("Large cyst in the liver.", "")
    reports.import_pairs(workspace, (HEADER + other_model).encode(), "more.csv")
    reports.evaluate_pairs(workspace, evaluator="local")
    assert len(server.bodies) == 4


def test_a_refusing_model_leaves_the_pair_unscored_with_its_reason(served) -> None:
    workspace, server = served
    server.behaviours = ["refusal"]
    summary = reports.evaluate_pairs(workspace, evaluator="local")
    (line,) = reports.list_report_pairs(workspace, "local")
    assert summary.scored == () and line.f1_open is None
    assert line.unscored_reason == "refused"
    assert reports.leaderboard(workspace, "local").overall["A"].mean is None


def test_a_failed_reference_is_asked_again_by_the_next_run(served) -> None:
    workspace, server = served
    server.behaviours = ["refusal"]
    reports.evaluate_pairs(workspace, evaluator="local")
    server.behaviours = [json.dumps(r) for r in (REFERENCE, PREDICTION, FROM_REFERENCE, FROM_PREDICTION)]
    assert len(reports.evaluate_pairs(workspace, evaluator="local").scored) == 1
