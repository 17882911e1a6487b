"""Page tests run the real menu by AppTest on a store of their own: empty, or with the demonstration study."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.services.workspace import open_workspace
from core.settings import read_settings

ROOT = Path(__file__).resolve().parent.parent.parent
OpenPage = Callable[..., AppTest]


def page_paths() -> list[str]:
    pages = ROOT / "pages"
    return sorted(p.relative_to(pages).as_posix() for p in pages.glob("*/*.py") if p.parent.name != "components")


@pytest.fixture(autouse=True)
def fresh_caches() -> Iterator[None]:
    st.cache_resource.clear()
    st.cache_data.clear()
    yield
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A loaded demonstration study; tests take a copy."""
    folder = tmp_path_factory.mktemp("demo") / "study"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CASEROUNDS_DEMO", "1")
        workspace = open_workspace(read_settings(folder))
        workspace.store.engine.dispose()
    return folder


@pytest.fixture
def demo_study(demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "study"
    shutil.copytree(demo_folder, copy)
    monkeypatch.setenv("CASEROUNDS_DATA", str(copy))
    monkeypatch.setenv("CASEROUNDS_DEMO", "0")
    return copy


@pytest.fixture
def empty_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CASEROUNDS_DATA", str(tmp_path / "study"))
    monkeypatch.setenv("CASEROUNDS_DEMO", "0")
    return tmp_path / "study"


@pytest.fixture
def open_page() -> OpenPage:
    def opened(path: str, **query: str) -> AppTest:
        test = AppTest.from_file(str(ROOT / "pages" / "menu.py"), default_timeout=60).run()
        for name, value in query.items():
            test.query_params[name] = value
        return test.switch_page(path).run()

    return opened
