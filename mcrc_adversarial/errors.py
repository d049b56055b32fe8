"""Every error that the package raises on purpose.

McrcError
├── UnknownNameError        a corpus, attack, config or split that does not exist (KeyError)
├── ParameterError          a seed, threshold or option outside its range (ValueError)
├── DataError               a record, file or column that breaks a contract (ValueError)
│   ├── ArchiveError        an archive that is unsafe or broken
│   └── VerificationError   a corpus that differs from its published form
├── CorpusNotFoundError     no raw files, and no way to fetch them (FileNotFoundError)
├── DownloadError           a transfer that failed (OSError)
├── HubError                something that the Hub refused, or a transfer to it (OSError)
├── LicenceError            a corpus that its licence keeps from being published (ValueError)
├── ScoringError            predictions that cannot be scored (ValueError)
├── OutputError             a place where nothing may be written (OSError)
├── ResourceError           a tagger, dictionary or vectors that an attack needs (ImportError)
├── WorkerError             a worker process that was killed (RuntimeError)
└── AttackContractError     a bug in an attack: it touched what it may not touch (RuntimeError)

Each message is one line: what was asked, what was found, what is allowed, what to do.
"""


class McrcError(Exception):
    """Base of all errors that a user can cause or mend."""


class UnknownNameError(McrcError, KeyError):
    """A name that is not registered; the message lists the nearest names."""

    def __str__(self) -> str:
        # KeyError prints the repr of its argument, quotes and all.
        return str(self.args[0]) if self.args else ""


class ParameterError(McrcError, ValueError):
    """An argument outside its allowed range."""


class DataError(McrcError, ValueError):
    """A record, file or column that breaks a contract of the data."""


class ArchiveError(DataError):
    """An archive that is broken, or holds links, unsafe names or a size bomb."""


class VerificationError(DataError):
    """A corpus whose counts or digest differ from the published ones."""


class CorpusNotFoundError(McrcError, FileNotFoundError):
    """No raw files of a corpus were found, and none can be fetched."""


class DownloadError(McrcError, OSError):
    """A download that failed; nothing of it is left behind."""


class HubError(McrcError, OSError):
    """What the Hub refused or could not do; the repository is as it was before."""


class LicenceError(McrcError, ValueError):
    """A corpus whose licence does not allow what was asked."""


class ScoringError(McrcError, ValueError):
    """Predictions, references or ids that cannot be scored."""


class OutputError(McrcError, OSError):
    """An output place that holds something else, or cannot be written."""


class ResourceError(McrcError, ImportError):
    """Something that an attack needs is not on this machine, or is broken."""


class AttackContractError(McrcError, RuntimeError):
    """An attack changed a field that it does not declare, or the answer: a bug in the attack."""


class WorkerError(McrcError, RuntimeError):
    """A process that was to do a part of the work ended before it was done."""
