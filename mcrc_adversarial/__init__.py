"""Turn multiple-choice reading comprehension corpora into attacked versions, and score on them."""

from mcrc_adversarial._version import __version__

__all__ = ["__version__"]
