"""MCScript2.0 (Ostermann, Roth and Pinkal, *SEM 2019).

The text is tokenised ("week , my") and stays so. Of the training and test splits this project has
seen no more than the published counts, so their digests are not pinned.
"""

from __future__ import annotations

from mcrc_adversarial.corpora import Corpus, Licence, Pin, _mcscript_xml, corpora

_HOMEPAGE = "https://fedora.clarin-d.uni-saarland.de/sfb1102/#mcscript-20"
_CITATION = """\
@inproceedings{ostermann-etal-2019-mcscript2,
  title = {{MCS}cript2.0: A Machine Comprehension Corpus Focused on Script Events and
    Participants},
  author = {Ostermann, Simon and Roth, Michael and Pinkal, Manfred},
  booktitle = {Proceedings of *SEM 2019},
  pages = {103--117},
  year = {2019},
}"""

corpora.register(
    Corpus(
        name="mcscript2",
        title="MCScript2.0 (Ostermann et al., 2019)",
        version=1,
        splits=_mcscript_xml.SPLITS,
        read=_mcscript_xml.read,
        row_order="instance, question index, as in the file",
        n_options="2",
        licence=Licence(name="none stated", url=_HOMEPAGE, redistribution=False),
        homepage=_HOMEPAGE,
        citation=_CITATION,
        pins={
            "train": Pin(None, 14191, ""),
            "validation": Pin(
                355, 2020, "972ed132aa80ef61ba20ecb812def7f9f56a3c402918063d2fed30ab42978938"
            ),
            "test": Pin(None, 3610, ""),
        },
        facts=_mcscript_xml.FACTS,
        hints=("mcscript2", "mcscript-2", "mcscript_2"),
        rivals=("mcscript", "semeval2018", "semeval-2018"),
        layout="mcscript2/{train,dev,test}-data.xml",
    )
)
