"""The version of the code; rows are versioned by each corpus and each attack."""

__version__ = "0.1.0"
