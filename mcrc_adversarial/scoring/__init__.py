"""Every formula and statistic of the project, pure numpy and scipy, usable without `evaluate`.

The metric module, the command line and the reports call it; none computes anything itself.
Accuracies and rates are fractions from 0 to 1; a drop is in percent of the clean accuracy.
"""

from mcrc_adversarial.scoring.arguments import MetricArguments
from mcrc_adversarial.scoring.association import (
    FEWEST_PASSAGES,
    Association,
    Mean,
    clustered_difference,
    clustered_mean,
    clustered_pearson,
    pearson_r,
)
from mcrc_adversarial.scoring.baselines import (
    Baseline,
    longest_option,
    majority_class,
    random_guess,
)
from mcrc_adversarial.scoring.chance import Chance, chance_test
from mcrc_adversarial.scoring.formulas import (
    FlipRates,
    accuracy,
    flip_rates,
    percentage_performance_drop,
    probabilities,
    rows_right,
)
from mcrc_adversarial.scoring.inputs import (
    Flags,
    Indices,
    IntArray,
    Keys,
    PairedInputs,
    as_flags,
    as_indices,
    as_keys,
    as_letters,
    check_length,
    check_paired,
)
from mcrc_adversarial.scoring.intervals import (
    Interval,
    accuracy_interval,
    drop_interval,
    wilson_interval,
)
from mcrc_adversarial.scoring.logistic import Coefficient, LogisticFit, logistic_regression
from mcrc_adversarial.scoring.relation import (
    Correlation,
    WelchTest,
    correlation,
    human_model_gap,
    is_constant,
    macro_average,
    spread,
    welch_test,
)
from mcrc_adversarial.scoring.results import Report, RowScores
from mcrc_adversarial.scoring.seeds import SeedSpread, spread_over_seeds
from mcrc_adversarial.scoring.significance import holm_adjusted, mcnemar_p_value
from mcrc_adversarial.scoring.summary import report, scores_by_group

__all__ = [
    "FEWEST_PASSAGES",
    "Association",
    "Baseline",
    "Chance",
    "Coefficient",
    "Correlation",
    "Flags",
    "FlipRates",
    "Indices",
    "IntArray",
    "Interval",
    "Keys",
    "LogisticFit",
    "Mean",
    "MetricArguments",
    "PairedInputs",
    "Report",
    "RowScores",
    "SeedSpread",
    "WelchTest",
    "accuracy",
    "accuracy_interval",
    "as_flags",
    "as_indices",
    "as_keys",
    "as_letters",
    "chance_test",
    "check_length",
    "check_paired",
    "clustered_difference",
    "clustered_mean",
    "clustered_pearson",
    "correlation",
    "drop_interval",
    "flip_rates",
    "holm_adjusted",
    "human_model_gap",
    "is_constant",
    "logistic_regression",
    "longest_option",
    "macro_average",
    "majority_class",
    "mcnemar_p_value",
    "pearson_r",
    "percentage_performance_drop",
    "probabilities",
    "random_guess",
    "report",
    "rows_right",
    "scores_by_group",
    "spread",
    "spread_over_seeds",
    "welch_test",
    "wilson_interval",
]
