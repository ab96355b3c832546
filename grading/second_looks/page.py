"""What the pages about second looks show: the text, the ideas to choose from, and the figures."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.http import QueryDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grading.models import Assignment, Membership, Missed, Score, SecondLook, Sight, StoredPyramid
from grading.pyramid.agreement import Figure, Share, figure
from grading.pyramid.feedback.likely_ideas import likely_ideas, likely_sentence
from grading.pyramid.feedback.sureness import confidence_in_words
from grading.pyramid.feedback.topics import Topics, hint_in_words
from grading.pyramid.marked_pieces import cut_at_marks
from grading.pyramid.structures import Pyramid, ScoreReport, Spans, shared_length
from grading.scoring.conversion import pyramid_from_row, report_from_row, submission_to_text
from grading.scoring.corrections import Carrier
from grading.scoring.missed_by_program import LookedAt, looks_at, missed_by_program
from grading.scoring.second_looks import requested_spans
from grading.second_looks.actions import Prospect, second_look_prospect, second_look_stamp
from grading.second_looks.forms import (
    AnswerForm,
    DisputeAnswerForm,
    MatchChoice,
    MissedChoice,
)
from grading.web.html_elements import element
from grading.web.ideas import Idea, Ideas, missed_ideas_of

FIRST_IDEAS = 5  # shown without opening the rest of the list
FIRST_MISSED = 15  # of the ideas that the program often misses
OFTEN = 2  # times that people matched an idea where the program did not


def missed_choices(score: Score, sight: Sight) -> tuple[MissedChoice, ...]:
    """The ideas that a student can ask about, worded as the feedback page words them.

    None where students don't see single ideas.
    """
    if sight.missed < Missed.HINTS:
        return ()
    pyramid = pyramid_from_row(score.pyramid).counted()
    topics = Topics(pyramid) if sight.missed == Missed.HINTS else None
    numbers = pyramid.numbers()
    return tuple(
        MissedChoice(
            numbers[scu.uid],
            scu.uid,
            scu.weight,
            hint_in_words(topics.words(scu)) if topics else " ".join(scu.label.split()),
        )
        for scu in missed_ideas_of(pyramid, report_from_row(score))
    )


def match_choices(score: Score, sight: Sight) -> tuple[MatchChoice, ...]:
    """The matches that a student can call wrong, as the feedback page orders and numbers them."""
    pyramid, text = pyramid_from_row(score.pyramid).counted(), submission_to_text(score.submission)
    marks = match_marks(pyramid, report_from_row(score))
    return tuple(
        MatchChoice(
            order=order,
            scu_uid=mark.idea.uid,
            number=mark.idea.number if sight.missed != Missed.NOTHING else 0,
            spans=mark.spans,
            words=text.quoted(mark.spans),
            label=" ".join(mark.idea.label.split()),
        )
        for order, mark in enumerate(marks, start=1)
    )


# --- the text ---


@dataclass(frozen=True, slots=True)
class MatchMark:
    """A matched idea, and its words."""

    spans: Spans
    idea: Idea
    by_hand: bool

    @property
    def number(self) -> int:
        return self.idea.number


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A stretch of the text; the script that selects words reads ``start``."""

    start: int
    words: str
    is_chosen: bool
    begins: bool  # the chosen words begin with it
    ends: bool
    matches: tuple[MatchMark, ...]  # heaviest first
    ending: tuple[MatchMark, ...]  # whose last words these are


def match_marks(pyramid: Pyramid, report: ScoreReport) -> tuple[MatchMark, ...]:
    """The matches in the order of the text; ``pyramid`` has only ideas that count."""
    ideas, scus = Ideas(pyramid), {scu.uid: scu for scu in pyramid.scus}
    matches = sorted(report.evidence.credited, key=lambda match: (match.spans, match.scu_uid))
    return tuple(
        MatchMark(match.spans, ideas.of(scus[match.scu_uid]), match.by_hand) for match in matches
    )


def pieces_of(
    content: str, chosen: Spans, marks: Sequence[MatchMark] = ()
) -> tuple[AnswerPiece, ...]:
    """The whole text in order, cut where the chosen words or a match begin or end."""
    all_marks: list[tuple[Spans, MatchMark | None]] = [(mark.spans, mark) for mark in marks]
    if chosen:
        all_marks.append((chosen, None))
    starts, ends = {span.start for span in chosen}, {span.end for span in chosen}
    pieces = []
    for piece in cut_at_marks(content, all_marks):
        matches = filter(None, piece.marks)
        is_chosen = None in piece.marks
        pieces.append(
            AnswerPiece(
                start=piece.start,
                words=piece.words,
                is_chosen=is_chosen,
                begins=is_chosen and piece.start in starts,
                ends=is_chosen and piece.end in ends,
                matches=tuple(sorted(matches, key=lambda mark: (-mark.idea.weight, mark.number))),
                ending=tuple(filter(None, piece.ending)),
            )
        )
    return tuple(pieces)


def text_html(pieces: Sequence[AnswerPiece]) -> SafeString:
    """The text with its marks; a number behind the last words of a match leads to its idea."""
    return format_html_join("", "{}", ((_piece_html(piece),) for piece in pieces))


def _piece_html(piece: AnswerPiece) -> SafeString:
    edge = "visually-hidden second-look-edge"
    begins = element("span", "[Asked about:", class_=edge) if piece.begins else ""
    ends = element("span", "]", class_=edge) if piece.ends else ""
    if piece.matches:
        first = piece.matches[0]
        manual = " is-manual" if first.by_hand else ""
        chosen = " is-chosen" if piece.is_chosen else ""
        labels = (
            element(
                "a",
                str(mark.number),
                class_="match-label",
                href=f"#found-{mark.number}",
                aria_label=f"Idea {mark.number}, weight {mark.idea.weight}"
                f"{', set manually' if mark.by_hand else ''}",
            )
            for mark in piece.ending
        )
        marked = element(
            "mark",
            format_html("{}{}", piece.words, SafeString("".join(labels))),
            class_=f"match match-band-{first.idea.band}{manual}{chosen}",
            data_start=piece.start,
            id=f"match-{piece.ending[0].number}" if piece.ending else None,
        )
    elif piece.is_chosen:
        look = "second-look-chosen is-chosen"
        marked = element("mark", piece.words, class_=look, data_start=piece.start)
    else:
        marked = element("span", piece.words, data_start=piece.start)
    return format_html("{}{}{}", begins, marked, ends)


def repeated_ideas(
    report: ScoreReport, spans: Spans, marks: Iterable[MatchMark]
) -> tuple[MatchMark, ...]:
    """The matched ideas that these words only repeat: they count elsewhere in the text."""
    uids = {
        repeat.scu_uid
        for repeat in report.evidence.repeats
        if shared_length(repeat.segment.spans, spans)
    }
    return tuple(mark for mark in marks if mark.idea.uid in uids)


# --- answering ---


@dataclass(frozen=True, slots=True)
class OfferedIdea:
    """An idea that a grader can count, and the comprehensive score that would follow."""

    idea: Idea
    shared: tuple[str, ...]  # words that it shares with the student's
    after: float | None  # unknown as long as no words are chosen
    is_asked: bool


def answer_page(
    look: SecondLook,
    membership: Membership,
    score: Score,
    data: QueryDict | None = None,
    unsaved: AnswerForm | DisputeAnswerForm | None = None,
) -> tuple[AnswerForm | DisputeAnswerForm, dict[str, Any]]:
    """The form and the context of its page.

    ``unsaved`` is a form that came too late: the page keeps what the grader typed in it.
    """
    submission = look.submission
    prospect = second_look_prospect(second_look=look, score=score)
    requested = requested_spans(look)
    words = submission_to_text(submission).words_at(requested)
    report = report_from_row(score)
    marks = match_marks(pyramid_from_row(score.pyramid).counted(), report)
    answer = unsaved.cleaned_data["answer"] if unsaved else look.answer
    context = {
        "look": look,
        "submission": submission,
        "assignment": submission.assignment,
        "membership": membership,
        "score": score,
        "stamp": second_look_stamp(look, score),
        "before": prospect.report.comprehensive,
        "marks": marks,
        "text": text_html(pieces_of(submission.text, requested, marks)),
        "words": words,
        "is_gone": look.scu_uid is not None and prospect.scu_uid is None,
    }
    if look.disputes_match:
        dispute = DisputeAnswerForm(data, scu_uid=prospect.scu_uid, initial={"answer": answer})
        return dispute, context | {"form": dispute} | _disputed_match(prospect)
    offered, named_uid, spans = _offered_ideas(look, prospect, words)
    first = FIRST_IDEAS if named_uid is None else 1
    form = AnswerForm(
        data,
        content=submission.text,
        spans=(unsaved and unsaved.cleaned_data.get("spans")) or spans,
        scu_uids=[offer.idea.uid for offer in offered],
        initial={
            "scu": named_uid,  # which idea words express is for the grader to say
            "answer": answer,
        },
    )
    asked_marks = [mark for mark in marks if mark.idea.uid == prospect.scu_uid]
    more = offered[first:]
    chosen_uid = str(form["scu"].value())
    context |= {
        "form": form,
        "first_ideas": offered[:first],
        "more_ideas": more,
        "chosen_uid": chosen_uid,
        "more_open": chosen_uid in {str(offer.idea.uid) for offer in more},
        "repeated": repeated_ideas(report, requested, marks),
        "already_counted": None if look.is_accepted else next(iter(asked_marks), None),
    }
    return form, context


def _disputed_match(prospect: Prospect) -> dict[str, Any]:
    """The idea that a student says is matched wrongly, and the score without it."""
    if prospect.scu_uid is None:
        return {"disputed": None}
    idea = Ideas(prospect.pyramid).of(prospect.pyramid.scu(prospect.scu_uid))
    matches = [row for row in prospect.report.evidence.credited if row.scu_uid == prospect.scu_uid]
    return {
        "disputed": idea,
        "is_matched": bool(matches),
        "confidence": confidence_in_words(matches[0]) if matches else "",
        "after": prospect.without_match(prospect.scu_uid).comprehensive,
    }


def _offered_ideas(
    look: SecondLook, prospect: Prospect, words: str
) -> tuple[list[OfferedIdea], int | None, Spans]:
    """All ideas that the text lacks, the one that is named (if any), and the words to suggest.

    The named idea comes first, then those that share most words. It is the one that an earlier
    answer counted, else the one asked about.
    """
    pyramid = prospect.pyramid
    missed = missed_ideas_of(pyramid, prospect.report)
    likely = likely_ideas(pyramid, missed, words or f"{look.shown_as} {look.reason}")
    wanted = prospect.chosen.scu_uid if prospect.chosen else prospect.scu_uid
    named = [idea for idea in likely if idea.scu.uid == wanted]
    others = [idea for idea in likely if idea.scu.uid != wanted]
    spans = prospect.chosen.spans if prospect.chosen else requested_spans(look)
    if not spans and named:
        sentence = likely_sentence(pyramid, named[0].scu, look.submission.text)
        spans = (sentence,) if sentence else ()
    shown = Ideas(pyramid)
    offered = [
        OfferedIdea(
            idea=shown.of(idea.scu),
            shared=idea.shared,
            after=prospect.with_match(idea.scu.uid, spans).comprehensive if spans else None,
            is_asked=idea.scu.uid == prospect.scu_uid,
        )
        for idea in (*named, *others)
    ]
    return offered, wanted if named else None, spans


# --- figures ---


def figures_page(assignment: Assignment) -> dict[str, Any]:
    """How often students were right, about which ideas, to what effect; and what is often missed.

    ``right`` is None as long as there is no pyramid.
    """
    version = StoredPyramid.objects.newest_of(assignment)
    if version is None:
        return {"right": None}
    carrier, pyramid = Carrier.to_version(version), pyramid_from_row(version).counted()
    shown = Ideas(pyramid)
    ideas = {scu.uid: shown.of(scu) for scu in pyramid.scus}
    looks = looks_at(assignment, carrier)
    by_idea: defaultdict[int | None, list[LookedAt]] = defaultdict(list)
    for look in looks:  # None: words of no idea, or of one that is gone
        by_idea[look.uid if look.uid in ideas else None].append(look)
    most_asked = sorted(by_idea, key=lambda uid: (uid is None, -len(by_idea[uid]), uid or 0))
    missed = missed_by_program(assignment, version, looks, carrier)
    often = [uid for uid in ideas if missed.total(uid) >= OFTEN]
    rows = [
        {
            "idea": ideas[uid],
            "total": missed.total(uid),
            "by_second_looks": missed.by_second_looks[uid],
            "by_hand": missed.by_hand[uid],
            "in_samples": missed.in_samples[uid],
        }
        for uid in sorted(often, key=lambda uid: (-missed.total(uid), uid))
    ]
    return {
        "version": version,
        "right": _share_counted(looks),
        "effect": _mean_effect(looks),
        "ideas": [
            {
                "idea": None if uid is None else ideas[uid],
                "right": _share_counted(by_idea[uid]),
                "effect": _mean_effect(by_idea[uid]).value,
            }
            for uid in most_asked
        ],
        "missed": rows[:FIRST_MISSED],
        "more_missed": rows[FIRST_MISSED:],
    }


def _share_counted(looks: Sequence[LookedAt]) -> Share:
    return Share(sum(look.look.is_accepted for look in looks), len(looks))


def _mean_effect(looks: Sequence[LookedAt]) -> Figure:
    """Of the requests that counted, on the comprehensive score."""
    effects = [look.effect for look in looks if look.look.is_accepted]
    values = np.array(effects, dtype=np.float64)
    return figure(lambda counts: counts @ values / counts.sum(axis=1), len(values))
