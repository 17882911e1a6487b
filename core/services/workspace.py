"""The running study that every service works on."""

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.model_call import ChatModel
from core.errors import InvalidInput
from core.settings import Settings
from core.storage.base import Store, open_store
from core.storage.images import ImageStore


@dataclass(frozen=True)
class Workspace:
    """A running study: its settings, its store with current tables, its images.

    Attributes:
        settings: where everything lives.
        store: the database.
        images: figures by content hash.
        open_model: opens a model by its registry name where calls belong to a run; None: directly.
    """

    settings: Settings
    store: Store
    images: ImageStore
    open_model: Callable[[str], ChatModel] | None = None


def open_workspace(settings: Settings) -> Workspace:
    """Give the study of these settings; makes its folders, and its tables where they are missing or old.

    With `settings.load_demo` an empty study gets the demonstration study.

    Raises:
        InvalidInput: a folder cannot be made, or the database is another program's or a newer version's.
    """
    # Alembic and the demonstration study take time to import: who does not need them does not wait.
    from core.storage.migrate import upgrade
    from core.storage.tables import load_all_tables

    for folder in (settings.data_folder, settings.image_folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"The folder {folder.name} cannot be made: {error.strerror}.",
                "Choose another one with --data or CASEROUNDS_DATA.",
            ) from error
    load_all_tables()
    store = open_store(settings)
    upgrade(store)
    workspace = Workspace(settings=settings, store=store, images=ImageStore(settings.image_folder))
    if settings.load_demo:
        from core.services.runs import wants_demonstration

        if wants_demonstration(workspace):
            from core.services.demo import load_demo

            load_demo(workspace)
    return workspace
