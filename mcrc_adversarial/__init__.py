"""Does this model read, or does it match keywords?

Importing the package registers its datasets: afterwards
`datasets.load_dataset("mcrc_adversarial", "race-addsent2opt-shuffle")` works from any folder.
"""

from mcrc_adversarial import door
from mcrc_adversarial._version import __version__
from mcrc_adversarial.attacking import attack
from mcrc_adversarial.metric import metric_path

__all__ = ["__version__", "attack", "metric_path"]

door.register()
