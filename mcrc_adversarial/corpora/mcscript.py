"""MCScript (Ostermann et al., LREC 2018), as SemEval-2018 Task 11 distributed it.

Only the test split names scenarios and question types; they are null elsewhere. The task's
trial-data.xml, with up to four answers a question, is no split.
"""

from __future__ import annotations

from mcrc_adversarial.corpora import Corpus, Licence, Pin, _mcscript_xml, corpora

_HOMEPAGE = "https://competitions.codalab.org/competitions/17184"
_CITATION = """\
@inproceedings{ostermann-etal-2018-mcscript,
  title = {{MCS}cript: A Novel Dataset for Assessing Machine Comprehension Using Script Knowledge},
  author = {Ostermann, Simon and Modi, Ashutosh and Roth, Michael and Thater, Stefan and
    Pinkal, Manfred},
  booktitle = {Proceedings of LREC 2018},
  year = {2018},
}"""

corpora.register(
    Corpus(
        name="mcscript",
        title="MCScript (Ostermann et al., 2018; SemEval-2018 Task 11)",
        version=1,
        splits=_mcscript_xml.SPLITS,
        read=_mcscript_xml.read,
        row_order="instance, question index, as in the file",
        n_options="2",
        licence=Licence(name="none stated", url=_HOMEPAGE, redistribution=False),
        homepage=_HOMEPAGE,
        citation=_CITATION,
        pins={
            "train": Pin(
                1469, 9731, "74e972e9693eddd53979ffa117ed3ce35d0dfdecef098b5228b9cd5a6bbb180c"
            ),
            "validation": Pin(
                219, 1411, "04fe7a44021e3c78b9165a3b400b2270deb08afeb763c83327e259e68c16be24"
            ),
            "test": Pin(
                430, 2797, "dde361014b3c36844560f8c58bd8420ab9742518718fc3fc9194b228e0f506d1"
            ),
        },
        facts=_mcscript_xml.FACTS,
        hints=("mcscript", "semeval2018", "semeval-2018"),
        rivals=("mcscript2", "mcscript-2", "mcscript_2"),
        layout="mcscript/{train,dev,test}-data.xml",
    )
)
