"""The registry is edited safely: checked before it replaces anything, a backup kept, no key in it."""

import pytest

from core.errors import Conflict, InvalidInput, NotAllowed
from core.services.models import list_models
from core.services.registry_editing import read_registry_text, save_registry_text, try_model
from core.services.workspace import open_workspace
from core.settings import read_settings
from core.storage import ledger
from tests.llm.conftest import KEY
from tests.runs.conftest import MODEL

MORE = '\n[models.another]\nengine = "openai"\nmodel = "x"\nbase_url = "http://127.0.0.1:1/v1"\n'


def test_a_saved_registry_is_the_study_s_own_and_the_former_one_is_kept(workspace) -> None:
    first = read_registry_text(workspace)
    assert not first.is_own
    assert save_registry_text(workspace, first.text + MORE, first.sha256) is None
    assert "another" in {model.name for model in list_models(workspace)}
    second = read_registry_text(workspace)
    assert second.is_own
    backup = save_registry_text(workspace, first.text, second.sha256)
    assert backup.read_text() == first.text + MORE
    assert "another" not in {model.name for model in list_models(workspace)}


@pytest.mark.parametrize(
    ("addition", "message"),
    [
        ("\n[models.a]\nengine = 5\n", r"models.toml, line \d+.*model a: engine"),
        ("\n[models\n", "not TOML"),
        (f"\n# {KEY}\n", "looks like a key"),
    ],
)
def test_what_is_not_well_formed_changes_nothing(workspace, addition: str, message: str) -> None:
    before = read_registry_text(workspace)
    with pytest.raises(InvalidInput, match=message) as raised:
        save_registry_text(workspace, before.text + addition, before.sha256)
    assert KEY not in str(raised.value)
    assert read_registry_text(workspace) == before
    assert not list(workspace.settings.data_folder.glob("*models-*"))


def test_two_people_who_edit_do_not_overwrite_each_other(workspace) -> None:
    first = read_registry_text(workspace)
    save_registry_text(workspace, first.text + MORE, first.sha256)
    with pytest.raises(Conflict):
        save_registry_text(workspace, first.text, first.sha256)


def test_a_registry_named_from_outside_is_left_alone(study) -> None:
    with pytest.raises(NotAllowed):
        save_registry_text(study, "", read_registry_text(study).sha256)


def test_a_model_is_tried_with_one_call_that_is_in_the_ledger(tmp_path, registry, provider, monkeypatch) -> None:
    monkeypatch.setenv("LOOPBACK_KEY", KEY)
    monkeypatch.setenv("CASEROUNDS_MODELS", str(registry))
    workspace = open_workspace(read_settings(tmp_path / "empty"))
    provider.behaviours = ['{"state": "ready", "number": 3}']
    assert try_model(workspace, MODEL).is_reached
    with workspace.store.read() as session:
        (attempt,) = ledger.list_attempts(session)
    assert attempt.outcome == "accepted" and len(provider.bodies) == 1
