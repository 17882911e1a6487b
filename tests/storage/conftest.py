import pytest

from core.settings import read_settings
from core.storage.base import Store, open_store
from core.storage.migrate import upgrade


@pytest.fixture
def store(tmp_path) -> Store:
    store = open_store(read_settings(tmp_path))
    upgrade(store)
    return store
