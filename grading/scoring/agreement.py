"""What a calibration round has brought: which ideas each judge sees in each text. Read-only."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grading.models import Annotation, Assignment, CalibrationRound, CalibrationText, Score, User
from grading.pyramid.agreement.curves import LabelledText
from grading.pyramid.agreement.sheets import Said, Sheet
from grading.pyramid.corrections import report_by_person
from grading.pyramid.formats.pyramid_json import spans_from_json
from grading.pyramid.learning import Label
from grading.pyramid.structures import Pyramid, ScoreReport, Spans
from grading.scoring.conversion import pyramid_from_row, report_from_row


@dataclass(frozen=True, slots=True)
class SampleText:
    """``by_person`` holds the reports of those who are done with it, by their number."""

    row: CalibrationText
    by_program: ScoreReport
    by_person: dict[int, ScoreReport]

    @property
    def place(self) -> int:
        return self.row.place


@dataclass(frozen=True, slots=True)
class Sample:
    """A round with all that counts: texts whose score is there, and annotations that are done."""

    round: CalibrationRound
    pyramid: Pyramid  # as it scores
    texts: tuple[SampleText, ...]
    people: dict[int, User]  # who is done with a text at least, in the order of their numbers

    @property
    def uids(self) -> list[int]:
        return [scu.uid for scu in self.pyramid.scus]

    @property
    def annotated(self) -> tuple[SampleText, ...]:
        return tuple(text for text in self.texts if text.by_person)

    def sheets(self) -> list[Sheet]:
        return [
            Sheet(
                text.place,
                self.matched(text.by_program),
                {person: self.matched(report) for person, report in text.by_person.items()},
            )
            for text in self.texts
        ]

    def matched(self, report: ScoreReport) -> Said:
        matched = {match.scu for match in report.evidence.credited}
        return np.array([uid in matched for uid in self.uids])

    def labelled(self) -> Iterator[LabelledText]:
        """What annotators teach: texts that a worker has looked at, each counted once."""
        for text in self.annotated:
            known = text.row.probabilities
            if known is not None:
                yield LabelledText(tuple(self._labels(text, known)))

    def _labels(self, text: SampleText, known: Mapping[str, float]) -> Iterator[Label]:
        weight = 1 / len(text.by_person)
        for report in text.by_person.values():
            for uid, is_expressed in zip(self.uids, self.matched(report).tolist(), strict=True):
                probability = known.get(str(uid), 0.0)
                yield Label(uid, probability, is_expressed, text.row.pk, weight)


def sample_of(calibration_round: CalibrationRound) -> Sample:
    """In four queries, however many texts and people."""
    pyramid = pyramid_from_row(calibration_round.pyramid)
    texts = list(calibration_round.texts.select_related("submission").defer("submission__text"))
    scores = _program_scores(calibration_round, texts)
    done = Annotation.objects.filter(text__round=calibration_round, is_done=True).select_related(
        "annotator"
    )
    annotations = list(done.order_by("annotator__name", "annotator"))
    people = {annotation.annotator_id: annotation.annotator for annotation in annotations}
    return Sample(
        round=calibration_round,
        pyramid=pyramid.counted(),
        texts=tuple(_sample_texts(pyramid, texts, scores, annotations)),
        people=people,
    )


def samples_of(assignment: Assignment) -> list[Sample]:
    """All rounds about the version that the newest of them is about."""
    rounds = list(assignment.calibration_rounds.select_related("pyramid"))
    return [sample_of(one) for one in rounds if one.pyramid_id == rounds[0].pyramid_id]


def annotated_ideas(annotation: Annotation) -> dict[int, Spans]:
    """The ideas of an annotation by their numbers, each with its words."""
    return {
        int(uid): spans_from_json(spans) if spans else () for uid, spans in annotation.ideas.items()
    }


def _program_scores(
    calibration_round: CalibrationRound, texts: Iterable[CalibrationText]
) -> dict[int, ScoreReport]:
    """The program's own, without what anybody has corrected."""
    scores = Score.objects.filter(
        submission__in=[text.submission_id for text in texts],
        pyramid=calibration_round.pyramid_id,
        signature=calibration_round.signature,
        revision=0,
    )
    return {score.submission_id: report_from_row(score) for score in scores}


def _sample_texts(
    pyramid: Pyramid,
    texts: Sequence[CalibrationText],
    scores: Mapping[int, ScoreReport],
    annotations: Sequence[Annotation],
) -> Iterator[SampleText]:
    counted = {scu.uid for scu in pyramid.counted().scus}
    for text in texts:
        report = scores.get(text.submission_id)
        if report is None:
            continue
        by_person = {
            annotation.annotator_id: report_by_person(
                report,
                pyramid,
                {
                    uid: spans
                    for uid, spans in annotated_ideas(annotation).items()
                    if uid in counted
                },
            )
            for annotation in annotations
            if annotation.text_id == text.pk
        }
        yield SampleText(text, report, by_person)
