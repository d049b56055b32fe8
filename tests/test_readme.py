"""The README's first screen: what it shows is what comes out, and CI does what it says."""

from __future__ import annotations

import yaml
from datasets import load_dataset
from pages import README, ROOT, RUN, blocks, text_of

from mcrc_adversarial.configs import expand_configs

CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
SET_UP = [line for block in blocks(README, RUN) for line in block.lines if "pip install" in line]


def test_first_screen_shows_every_config_of_the_main_job() -> None:
    table, *_ = blocks(README, "text")
    recipe = yaml.safe_load((ROOT / SET_UP[0].split()[-1]).read_text(encoding="utf-8"))
    configs = [str(config) for config in expand_configs(recipe["evaluate"])]

    lines = [line.split() for line in table.lines[1:]]

    assert [line[0] for line in lines] == configs
    for config, line in zip(configs, lines, strict=True):
        rows = load_dataset("mcrc_adversarial", config, split="test")
        shown = [int(text) for text in (line[1], line[-1]) if text.isdecimal()]
        expected = [len(rows), sum(rows["attacked"])] if "-" in config else [len(rows)]
        assert shown == expected


def test_ci_runs_the_set_up_lines() -> None:
    main_job, tests = SET_UP

    # CI takes the first line out of the README itself, and has the steps of the second.
    assert text_of(README).index(main_job) < text_of(README).index(tests)
    assert "grep -m 1 '^python3.11 -m venv' README.md" in CI
    assert main_job.endswith("python train.py mcrc_adversarial/recipes/sample.yaml")
    for step in tests.split(" && ")[2:]:
        assert step.replace("pip install", "pip install --quiet") in CI
