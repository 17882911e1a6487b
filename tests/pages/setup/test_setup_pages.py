"""Start, models and status."""

import io
import zipfile

from core.services.models import list_prompts
from core.services.workspace import open_workspace
from core.settings import read_settings

KEY = "sk-not-a-real-key-0123456789"


def texts(elements) -> str:
    return " ".join(str(element.value) for element in elements)


def everything(page) -> str:
    return repr(page.main) + " ".join(frame.value.to_csv() for frame in page.dataframe)


def test_the_start_page_of_an_empty_study_says_where_to_begin(empty_study, open_page) -> None:
    page = open_page("setup/start.py")
    assert "Import" in page.info[0].value
    assert page.metric[0].value == "0"


def test_the_start_page_counts_the_demonstration_study(demo_study, open_page) -> None:
    page = open_page("setup/start.py")
    assert [metric.value for metric in page.metric][:2] == ["6", "6 of 6"]
    assert not page.info


def test_models_tell_whether_a_key_is_there_and_never_its_value(empty_study, open_page, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    page = open_page("setup/models.py")
    assert not page.exception and not page.error
    table = page.dataframe[0].value.set_index("Name")
    assert table.loc["rules baseline", "State"] == "● ready"
    assert table.loc["gpt-4.1", "State"] in ("○ key missing", "✕ retired on 2027-01-14")
    assert table.loc["claude-haiku-4-5", "Key"] == "ANTHROPIC_API_KEY: present"
    assert "server on this machine" in table.loc["MedGemma-27B", "State"]
    warnings = [warning.value for warning in page.warning]
    assert any("o4-mini was shut down" in text for text in warnings)
    assert not any("environment variable" in text for text in warnings)
    assert KEY not in everything(page)
    status = open_page("setup/status.py")
    assert KEY not in everything(status)


def test_every_prompt_in_force_is_listed_and_read_on_demand(empty_study, open_page) -> None:
    page = open_page("setup/models.py")
    prompts = list_prompts()
    assert list(page.dataframe[1].value["Prompt"]) == [prompt.name for prompt in prompts]
    assert not page.code
    page.selectbox(key="prompt_choice").select("matcher").run()
    chosen = next(prompt for prompt in prompts if prompt.name == "matcher")
    assert page.code[0].value == chosen.template.strip()


def test_a_faulty_registry_is_one_sentence_with_its_line_and_the_prompts_still_show(
    empty_study, open_page, monkeypatch, tmp_path
) -> None:
    registry = tmp_path / "models.toml"
    registry.write_text('[models."x"]\nengine = "openai"\nmodel = "x"\nconcurrency = 0\n', encoding="utf-8")
    monkeypatch.setenv("CASEROUNDS_MODELS", str(registry))
    page = open_page("setup/models.py")
    assert not page.exception
    assert "models.toml, line 4" in page.error[0].value
    assert len(page.dataframe) == 1
    runs = open_page("dialogues/runs.py")
    assert not runs.exception


def test_status_finds_a_sound_study_and_gives_a_backup_that_opens(demo_study, open_page) -> None:
    page = open_page("setup/status.py")
    assert not page.exception and not page.error
    assert "6 articles" in texts(page.text)
    from core.services.database import backup_archive

    target = demo_study / "copy.zip"
    backup_archive(open_workspace(read_settings()), target)
    with zipfile.ZipFile(io.BytesIO(target.read_bytes())) as archive:
        assert archive.testzip() is None
        assert "caserounds.sqlite" in archive.namelist()
        assert sum(name.startswith("images/") for name in archive.namelist()) >= 19


def test_status_says_when_an_image_is_gone(demo_study, open_page) -> None:
    next((demo_study / "images").glob("??/*")).unlink()
    page = open_page("setup/status.py")
    assert not page.exception
    assert page.error and "image" in texts(page.text)
