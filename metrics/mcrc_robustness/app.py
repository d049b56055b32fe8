"""A page to try the metric on a few rows: letters in, figures out."""

from pathlib import Path

import evaluate
import gradio  # type: ignore[import-not-found,unused-ignore]

METRIC = evaluate.load(str(Path(__file__).with_name("mcrc_robustness.py")), "letters")


def score(predictions: str, references: str, clean_predictions: str) -> dict[str, float | int]:
    """Figures for letters written one after the other, with or without spaces and commas."""
    rows = [
        list("".join(text.upper().replace(",", " ").split()))
        for text in (predictions, references, clean_predictions)
    ]
    try:
        return METRIC.compute(  # type: ignore[no-any-return]
            predictions=rows[0], references=rows[1], clean_predictions=rows[2] or None
        )
    except ValueError as error:
        raise gradio.Error(str(error)) from error


PAGE = gradio.Interface(
    fn=score,
    inputs=[
        gradio.Textbox(label="Predictions on the attacked rows", value="A B B D A C"),
        gradio.Textbox(label="References", value="A B C D A A"),
        gradio.Textbox(
            label="Predictions on the original rows (may be empty)", value="A B C D A A"
        ),
    ],
    outputs=gradio.JSON(label="Figures"),
    title="mcrc_robustness",
    description=METRIC.info.description,
    flagging_mode="never",
)

if __name__ == "__main__":
    PAGE.launch()
