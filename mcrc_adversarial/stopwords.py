"""The English stop words of AdvRACE's attacks.

Most attacks take those that NLTK has had since its version 3.2: Porter's list (snowballstem.org)
and the pieces that contractions are cut into. Distractor extraction has more function words, as
information retrieval leaves them out, and lacks some verbs (Attacks/DE of NoviScl/AdvRACE).
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

_PLACES_AND_TIMES = """
    across along among amongst around back behind beside besides beyond onto per throughout thru
    toward towards upon within without
    elsewhere everywhere anywhere nowhere somewhere whereafter wherever whither whence thence hence
    afterwards already beforehand ever formerly former hereafter latter latterly meanwhile never
    next sometime thereafter whenever yet
"""
_PEOPLE_AND_THINGS = """
    another anyone anything everyone everything nobody none noone nothing one others something
    whatever whoever whose mine neither either enough least whole first hundred
"""
_LINKS = """
    almost alone also although anyhow anyway due else empty even except hereby herein hereupon
    however indeed moreover mostly namely nevertheless otherwise please somehow thereby therefore
    therein thereupon thus unless whereas whereby wherein whereupon whether
    cannot could may must used would
"""
_NOT_OF_SPANS = """
    be did do does doing had has have having should will because each few further m ma own re so
    some very
"""

# A span that is one of these is no distractor.
SPAN_STOPWORDS = (STOPWORDS - frozenset(_NOT_OF_SPANS.split())) | frozenset(
    " ".join((_PLACES_AND_TIMES, _PEOPLE_AND_THINGS, _LINKS)).split()
)
