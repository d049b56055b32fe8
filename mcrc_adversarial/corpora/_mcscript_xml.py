"""The XML that MCScript and MCScript2.0 share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from mcrc_adversarial.corpora._contract import RawFile
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

N_OPTIONS = 2
FACTS = {"question_type": "string", "scenario": "string"}
SPLITS = {
    split: (rf"(^|/){name}-data\.xml$",)
    for split, name in (("train", "train"), ("validation", "dev"), ("test", "test"))
}


def read(files: Sequence[RawFile], split: str) -> Iterator[Example]:
    """Instances in the order of the file, questions in the order of the instance.

    Instances without questions give no row. Native ids count from 0 in each split anew.
    """
    for file in files:
        for number, instance in enumerate(_root(file).iterfind("instance")):
            where = f"file {file.path!r}, instance {instance.get('id', number)!r}"
            yield from _read_instance(instance, split, where)


def _root(file: RawFile) -> Element:
    try:
        # The real files name a DTD, which is neither fetched nor needed.
        root: Element = fromstring(file.text(), forbid_entities=True, forbid_external=True)
    except ParseError as error:
        msg = f"file {file.path!r}: broken XML: {error}"
        raise DataError(msg) from error
    except DefusedXmlException as error:
        msg = f"file {file.path!r}: entities and external references are refused: {error}"
        raise DataError(msg) from error
    return root


def _read_instance(instance: Element, split: str, where: str) -> Iterator[Example]:
    passage_id = f"{split}/{_attribute(instance, 'id', where)}"
    text = instance.find("text")
    if text is None or len(text):
        msg = f"{where}: it needs one element 'text' that holds nothing but text"
        raise DataError(msg)
    for index, question in enumerate(instance.iterfind("questions/question")):
        place = f"{where}, question {question.get('id', index)!r}"
        options, label = _answers(question, place)
        yield Example(
            id=f"{passage_id}-{index}",
            passage_id=passage_id,
            passage=text.text or "",
            question=_attribute(question, "text", place),
            options=options,
            label=label,
            facts={
                "question_type": question.get("type"),
                "scenario": instance.get("scenario"),
            },
        )


def _answers(question: Element, where: str) -> tuple[tuple[str, ...], int]:
    answers = question.findall("answer")
    if len(answers) != N_OPTIONS:
        msg = f"{where}: {len(answers)} answers, expected {N_OPTIONS}"
        raise DataError(msg)
    marks = [_attribute(answer, "correct", where) for answer in answers]
    if sorted(marks) != ["False", "True"]:
        msg = f"{where}: field 'correct' is {marks}; one must be 'True', the other 'False'"
        raise DataError(msg)
    return tuple(_attribute(answer, "text", where) for answer in answers), marks.index("True")


def _attribute(element: Element, name: str, where: str) -> str:
    value = element.get(name)
    if value is None:
        msg = f"{where}: element {element.tag!r} has no attribute {name!r}"
        raise DataError(msg)
    return value
