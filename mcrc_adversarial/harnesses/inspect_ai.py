"""Tasks for inspect_ai: one Python file with a task a config, which needs inspect_ai alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files as package_files

from mcrc_adversarial.export.manifest import FileRecord

FILE = "mcrc_adversarial_tasks.py"
_TEMPLATE = "inspect_tasks.py.txt"


def files(dataset: str, split: str, records: Sequence[FileRecord]) -> Mapping[str, str]:
    """File name -> Python, for tasks that read `split` of each config from `dataset`."""
    template = package_files("mcrc_adversarial.harnesses").joinpath(_TEMPLATE)
    head = template.read_text(encoding="utf-8")
    named = head.replace('"{dataset}"', repr(dataset)).replace('"{split}"', repr(split))
    return {FILE: named + "".join(_task(record) for record in records)}


def _task(record: FileRecord) -> str:
    # The harness finds tasks by reading the file, not by running it: each stands there in full.
    name = record.config.replace("-", "_")
    return f"""

@task(name="{record.config}")
def task_{name}(scoring: str = "generate") -> Task:
    \"\"\"{record.rows} questions; file digest {record.sha256[:16]}.\"\"\"
    return _config_task("{record.config}", scoring)
"""
