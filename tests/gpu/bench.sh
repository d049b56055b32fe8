#!/usr/bin/env bash
# Speed and memory on a machine with one CUDA GPU, in at most 8 minutes:
#   MCRC_DATA_DIR=/path/to/corpora OUT=figures bash tests/gpu/bench.sh
# Writes large.jsonl (BERT-large shape at length 512: tokens/s, share of the bf16 peak, memory, with
# and without checkpointing and DeepSpeed) and race.txt (MiniLM fine-tuned on RACE, the table of
# attacks) into $OUT. SMALL=1 tries the whole script on a CPU with toy sizes, on the sample corpus.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-bench-figures}
PYTHON=${PYTHON:-python}
mkdir -p "$OUT"
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}" HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false

small=() limit=60
[[ -n "${SMALL:-}" ]] && small=(--small --questions 2 --length 64 --steps 2) limit=600
: > "$OUT/large.jsonl"
for flags in "" "--checkpointing" "--deepspeed" "--checkpointing --deepspeed"; do
  # shellcheck disable=SC2086  # several flags in one word
  timeout "$limit" "$PYTHON" tests/gpu/bench_large.py $flags "${small[@]}" 2> "$OUT/large.log" |
    grep '^{' | tee -a "$OUT/large.jsonl" || echo "failed: bench_large.py $flags" | tee -a "$OUT/large.log"
done

rm -rf "$OUT/minilm"
if [[ -n "${SMALL:-}" ]]; then
  timeout 240 "$PYTHON" train.py --do_train --do_eval --model_name_or_path bundled:minilm \
    --train sample --train_limit 16 --validation_limit 8 --evaluate sample sample-q-remove \
    --evaluate_limit 8 --max_length 320 --max_steps 2 --eval_strategy no --save_strategy no \
    --load_best_model_at_end False --output_dir "$OUT/minilm" | tee "$OUT/race.txt"
else
  # A quarter of RACE and 1,000 test questions: a model that has learned something, in 4 minutes.
  timeout 240 "$PYTHON" train.py --do_train --do_eval --model_name_or_path bundled:minilm \
    --train race --train_limit 20000 --validation_limit 1000 --evaluate 'race:*' \
    --evaluate_limit 1000 --max_length 512 --learning_rate 1e-4 --num_train_epochs 2 \
    --per_device_train_batch_size 32 --train_token_budget 65536 --evaluate_token_budget 262144 \
    --output_dir "$OUT/minilm" | tee "$OUT/race.txt"
fi
