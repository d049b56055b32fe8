"""Fine-tune a multiple-choice model and score it on every attacked set.

    python train.py mcrc_adversarial/recipes/sample.yaml
    python train.py bert-large-race --output_dir runs/race --deepspeed ds_config.json
    python train.py --do_eval --model_name_or_path runs/race --evaluate 'race:*' --output_dir runs/b

The first argument is a recipe (a YAML file, or the name of one in mcrc_adversarial/recipes); flags
override it, and `--help` lists them. With `--task span-extraction` or `--task
distractor-generation` it trains the models behind the attacks of AdvRACE that need one. Several
processes: `torchrun --nproc_per_node N train.py ...` or the launchers of DeepSpeed and accelerate.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import datasets
import torch
import transformers
from huggingface_hub.utils.tqdm import disable_progress_bars

from mcrc_adversarial.candidates import TASKS
from mcrc_adversarial.distractors.training import dry_run_task, run_task
from mcrc_adversarial.errors import McrcError
from mcrc_adversarial.experiment import run_experiment
from mcrc_adversarial.experiment.dry_run import dry_run
from mcrc_adversarial.training.recipe import Arguments, parse_arguments

_LOG = logging.getLogger("train")
_USER_MISTAKE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run; 0 if all went well, 2 with one line on stderr for a mistake that a user can mend."""
    _log_to_stderr()
    if not torch.accelerator.is_available():
        # DeepSpeed, where it is installed, else complains on stdout that it found no GPU.
        os.environ.setdefault("DS_ACCELERATOR", "cpu")
    try:
        arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
        for note in arguments.notes:
            logging.getLogger("train").info(note)
        if arguments.model.task in TASKS:
            _do_task(arguments)
        elif arguments.run.dry_run:
            print(dry_run(arguments))
        else:
            metrics = run_experiment(arguments)
            if metrics is not None and arguments.run.process_index == 0:
                _report(Path(str(arguments.run.output_dir)))
    except McrcError as error:
        print(f"train.py: {' '.join(str(error).split())}", file=sys.stderr)
        return _USER_MISTAKE
    except KeyboardInterrupt:
        _end_interrupted()
    return 0


def _do_task(arguments: Arguments) -> None:
    """Train a model that makes distractors, and say how it is asked for them."""
    task, folder = arguments.model.task, arguments.run.output_dir
    if arguments.run.dry_run:
        print("\n".join(dry_run_task(arguments)))
        return
    metrics = run_task(arguments)
    if arguments.run.process_index == 0:
        shown = ", ".join(f"{name} {value:.3f}" for name, value in metrics.items())
        print(f"validation: {shown}")
        print(f"next: mcrc-adversarial candidates CORPUS --task {task} --model {folder} --output F")


def _end_interrupted() -> None:
    """Say what to do next, and end by the signal, so that a shell's loop ends too."""
    if int(os.environ.get("RANK", "0")) == 0:
        line = "the same command, without --overwrite_run, goes on from the last checkpoint"
        print(f"train.py: interrupted; {line}", file=sys.stderr, flush=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)


def _report(run: Path) -> None:
    """Write the run's report beside it, where the extra that draws figures is installed."""
    if find_spec("matplotlib") is None or find_spec("jinja2") is None:
        _LOG.info("no report: pip install 'mcrc-adversarial[report]'")
        return
    from mcrc_adversarial.analysis import load_study
    from mcrc_adversarial.report import write_report

    try:
        write_report(load_study([str(run)]), run / "report", say=_LOG.debug)
    except McrcError as error:
        # The run itself went well, and its report can be had from its folder at any time.
        _LOG.warning("no report: %s", error)
        return
    _LOG.info("report: %s", run / "report" / "report.html")


def _log_to_stderr() -> None:
    level = logging.INFO if int(os.environ.get("RANK", "0")) == 0 else logging.ERROR
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    for name in ("train", "mcrc_adversarial"):
        logging.getLogger(name).setLevel(level)
    transformers.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
        disable_progress_bars()
        transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    sys.exit(main())
