"""A pyramid, summaries and annotations to a curve learnt from them."""

from argparse import ArgumentParser
from pathlib import Path

from grading.pyramid.agreement import (
    FEWEST,
    CurveAdvice,
    Figure,
    Ground,
    LabelledText,
    advise_curve,
)
from grading.pyramid.cli.files import read_pyramid_file, read_texts, staged_files
from grading.pyramid.cli.tasks import MethodTask, Options, check_out
from grading.pyramid.errors import InputError
from grading.pyramid.figures import number_of
from grading.pyramid.formats.ducview import read_marked_ideas
from grading.pyramid.formats.learnt_curve_json import write_curve
from grading.pyramid.formats.pyramid_json import content_hash
from grading.pyramid.learning import Label
from grading.pyramid.learnt_curve import LearntCurve
from grading.pyramid.pipeline import Engine, prepare_probabilities, read_summaries
from grading.pyramid.structures import Pyramid, Text

Marks = dict[str, frozenset[int]]  # by the name of the summary


class CalibrateTask(MethodTask):
    help = (
        "Learn from annotated summaries (.pan) at which probability each idea of a pyramid "
        "counts. Scoring with --calibration uses the result."
    )
    example = "pyreval calibrate cities.pyr summaries annotations --out curve.json"
    out_help = "the learnt curve, a .json file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pyramid", type=Path, metavar="PYRAMID.pyr")
        parser.add_argument("summaries", type=Path, metavar="SUMMARIES_DIR")
        parser.add_argument(
            "annotations",
            type=Path,
            metavar="PAN_DIR",
            help="annotations, each named as its summary; a summary without one is left out",
        )
        super().add_arguments(parser)

    def run(self, options: Options) -> str:
        check_out(options)
        pyramid = read_pyramid_file(options["pyramid"])
        summaries = {text.name: text for text in read_texts(options["summaries"])}
        marks = _read_marks(options["annotations"], pyramid)
        for name in marks:
            if name not in summaries:
                path = options["annotations"] / f"{name}.pan"
                raise InputError(f"“{path}”: {options['summaries']} holds no “{name}.txt” for it.")
        engine = self.engine(options)
        if not engine.method.knows_probabilities:
            raise InputError(
                f"The method {engine.method.name} knows no probabilities, so there is nothing to "
                "learn. Choose another with --method."
            )
        self.host.progress("Reading the summaries", 0, len(marks))
        texts = _labelled(pyramid, [summaries[name] for name in marks], marks, engine)
        advice = advise_curve(texts, LearntCurve())
        with staged_files() as files:
            content = write_curve(
                advice.curve,
                signature=engine.signature,
                pyramid=content_hash(pyramid),
                texts=len(texts),
            )
            files.add(options["out"], content)
        return "\n".join(_lines(advice)) + "\n"


def _read_marks(directory: Path, pyramid: Pyramid) -> Marks:
    """Of the ``.pan`` files of a directory, by the names of their summaries."""
    if not directory.is_dir():
        raise InputError(f"There is no directory “{directory}”.")
    paths = sorted(path for path in directory.glob("*.pan") if not path.name.startswith("."))
    if not paths:
        raise InputError(f"The directory “{directory}” holds no .pan file.")
    uids = {scu.uid for scu in pyramid.counted().scus}
    marks: Marks = {}
    for path in paths:
        try:
            marks[path.name.removesuffix(".pan")] = read_marked_ideas(path.read_bytes(), uids)
        except InputError as error:
            raise InputError(f"“{path}”: {error}") from error
    return marks


def _labelled(
    pyramid: Pyramid, summaries: list[Text], marks: Marks, engine: Engine
) -> list[LabelledText]:
    probabilities = prepare_probabilities(pyramid, engine)
    return [
        LabelledText(
            tuple(
                Label(uid, probability, uid in marks[read.text.name], number)
                for uid, probability in probabilities(read).items()
            )
        )
        for number, read in enumerate(read_summaries(summaries, engine))
    ]


def _lines(advice: CurveAdvice) -> list[str]:
    texts = number_of(advice.texts, "text")
    lines = [
        f"Learnt from {advice.labels} marks on {texts}.",
        f"A match counts from a probability of {advice.curve.cut:.2f}.",
    ]
    if advice.ground is Ground.TOO_FEW:
        return [*lines, f"Fewer than {FEWEST} texts can't show how good it is."]
    lines += [
        "Agreement with people (Krippendorff's alpha), each text judged by what the others teach:",
        f"  without learning  {_figure(advice.agreement_now)}",
        f"  with learning     {_figure(advice.agreement_then)}",
        f"  gain              {_figure(advice.gain)}",
        f"Matches gained there: {advice.gained}, people agree with {advice.gained_rightly}.",
        f"Matches lost there: {advice.lost}, people agree with {advice.lost_rightly}.",
    ]
    if not advice.is_suggested:
        lines.append("The gain could be chance.")
    return lines


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "unknown"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"
