import json

import datasets
import pytest
from datasets import Dataset
from rows_to_attack import OWN


@pytest.fixture(autouse=True)
def no_progress_bars():
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


@pytest.fixture
def load(tmp_path):
    def load_(name="own", **changes):
        path = tmp_path / f"{name}.jsonl"
        if not path.exists():
            path.write_text("\n".join(json.dumps({**one, **changes}) for one in OWN))
        return Dataset.from_json(str(path), cache_dir=str(tmp_path / "cache"))

    return load_
