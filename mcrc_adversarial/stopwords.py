"""The English stop words of AdvRACE's attacks: those that NLTK has had since its version 3.2.

They are Porter's list (snowballstem.org) and the pieces that contractions are cut into.
"""

from __future__ import annotations

_PRONOUNS = """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
    her hers herself it its itself they them their theirs themselves what which who whom this that
    these those
"""
_VERBS = """
    am is are was were be been being have has had having do does did doing can will should
"""
_SMALL_WORDS = """
    a an the and but if or because as until while of at by for with about against between into
    through during before after above below to from up down in out on off over under again further
    then once here there when where why how all any both each few more most other some such no nor
    not only own same so than too very just now
"""
_PIECES = """
    s t d ll m o re ve y ma don ain aren couldn didn doesn hadn hasn haven isn mightn mustn needn
    shan shouldn wasn weren won wouldn
"""
_WHOLE_CONTRACTIONS = """
    you're you've you'll you'd she's it's that'll don't should've aren't couldn't didn't doesn't
    hadn't hasn't haven't isn't mightn't mustn't needn't shan't shouldn't wasn't weren't won't
    wouldn't
"""

STOPWORDS = frozenset(
    " ".join((_PRONOUNS, _VERBS, _SMALL_WORDS, _PIECES, _WHOLE_CONTRACTIONS)).split()
)
