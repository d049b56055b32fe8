"""Parameters that several attacks share."""

from mcrc_adversarial.attacks import Parameter
from mcrc_adversarial.shuffling import DEFAULT_SHUFFLE_DEGREE, check_shuffle_degree

SHUFFLE_DEGREE = Parameter(
    name="shuffle_degree",
    default=DEFAULT_SHUFFLE_DEGREE,
    check=check_shuffle_degree,
    parse=float,
    help="a shuffled text's ShuffleDegree must lie strictly above this: 0 up to, not including, 1",
)
