"""Settings, read from the environment once, into one frozen record. Keys are not among them."""

import os
from dataclasses import dataclass
from pathlib import Path

PROJECT_ROOT = Path(__file__).resolve().parent.parent
DEFAULT_MODELS = PROJECT_ROOT / "data" / "models.toml"
PMC_BUCKET = "https://pmc-oa-opendata.s3.amazonaws.com"
"""The PMC Open Access data of the National Library of Medicine, public and without sign-in."""


@dataclass(frozen=True)
class Settings:
    """Where the running study lives.

    Attributes:
        data_folder: folder of the running study (`CASEROUNDS_DATA`, default `data/local`).
        database_url: SQLAlchemy address (`CASEROUNDS_DATABASE_URL`, default SQLite in the data folder).
        image_folder: figures by content hash (`CASEROUNDS_IMAGE_STORE`, default `images` in the data folder).
        models_file: the model registry (`CASEROUNDS_MODELS`, default `data/models.toml`, or the study's own copy
            of it in the data folder once it was edited there).
        load_demo: load the demonstration study into an empty store (`CASEROUNDS_DEMO`, 1 by default, 0 for no).
        pmc_bucket: where articles are fetched from (`CASEROUNDS_PMC_BUCKET`, default PMC's public bucket): an address
            below which objects stand under their keys and which lists them, for example a mirror's.
    """

    data_folder: Path
    database_url: str
    image_folder: Path
    models_file: Path
    load_demo: bool
    pmc_bucket: str = PMC_BUCKET


def read_settings(data_folder: Path | None = None) -> Settings:
    """Give the settings of this process; `data_folder` wins over `CASEROUNDS_DATA`."""
    folder = Path(data_folder or os.environ.get("CASEROUNDS_DATA") or PROJECT_ROOT / "data" / "local").resolve()
    return Settings(
        data_folder=folder,
        database_url=os.environ.get("CASEROUNDS_DATABASE_URL") or f"sqlite:///{folder / 'caserounds.sqlite'}",
        image_folder=Path(os.environ.get("CASEROUNDS_IMAGE_STORE") or folder / "images"),
        models_file=Path(os.environ.get("CASEROUNDS_MODELS") or DEFAULT_MODELS),
        load_demo=os.environ.get("CASEROUNDS_DEMO", "1") != "0",
        pmc_bucket=os.environ.get("CASEROUNDS_PMC_BUCKET") or PMC_BUCKET,
    )
