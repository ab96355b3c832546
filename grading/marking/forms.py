"""Forms of the review desk: a step, a comment, and files of annotations."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile

from grading.marking.actions import ProposedStep
from grading.marking.annotations import ComparedFile
from grading.marking.queries import Desk
from grading.models import Assignment, Course, MarkingStep
from grading.pyramid.characters import with_one_line_end
from grading.pyramid.corrections import Correction, Verdict
from grading.pyramid.editing.wording import shortened
from grading.pyramid.errors import InputError
from grading.pyramid.formats.annotation_files import AnnotationFile, read_annotation_files
from grading.pyramid.formats.pyramid_json import spans_from_json, spans_to_json
from grading.pyramid.structures import Match, Spans, is_mostly_in, join_spans, shared_length
from grading.web.file_reader import read_apart
from grading.web.word_spans import LONGEST_CHOICE, ChosenWordsForm, spans_at

LARGEST_FILE = 9_000_000  # bytes, as it is sent
SECONDS_TO_READ = 60  # of processor time, for annotations of a whole class
DID = MarkingStep.Did
Step = tuple[MarkingStep.Did, tuple[Correction, ...]]
_SAVED_KEY = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_NOTHING_CHANGES = "This is already set."


class StepForm(ChosenWordsForm):
    """``do`` is the value of a button: “confirm 3”, “add 3”, “exchange 3 5”, “leave_out” …
    With “add_other” the idea is the one that was chosen in a list.

    A match that is only possible is confirmed or removed as one that is shown. ``stamp`` is what
    the grader looked at; ``idea`` the one that is open on the page.
    """

    do = forms.CharField(max_length=400, error_messages={"required": "Choose an action."})
    stamp = forms.CharField(required=False, max_length=60)
    idea = forms.IntegerField(required=False, min_value=0, max_value=10**9)
    other = forms.IntegerField(required=False, min_value=0, max_value=10**9)  # of the list

    def __init__(self, *args: Any, desk: Desk, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.desk = desk
        self.step: Step | None = None  # none for what corrects nothing: find, undo, redo
        evidence = desk.report.evidence
        self._held = evidence.held
        self._segments = evidence.segments
        self._shown = {match.scu_uid: match for match in evidence.matches}
        self._matches = {match.scu_uid: match for match in evidence.possible} | self._shown
        self._ideas = {scu.uid for scu in desk.pyramid.scus}

    @property
    def verb(self) -> str:
        return str(self.cleaned_data.get("do", "")).split(" ", 1)[0]

    def clean(self) -> dict[str, Any]:
        super().clean()
        verb = self.verb
        steps: dict[str, Callable[[str], Step]] = {
            "confirm": self._confirm,
            "remove": self._remove,
            "add": self._add,
            "add_other": lambda _: self._add(self._other()),
            "exchange": self._exchange,
            "exchange_other": lambda first: self._exchange(f"{first} {self._other()}"),
            "as_found": self._as_found,
            "leave_out": lambda _: self._leave_out(),
            "count": self._count,
            "count_held": lambda _: self._decide_held(DID.COUNTED, Verdict.COUNTED),
            "exclude_held": lambda _: self._decide_held(DID.EXCLUDED, Verdict.EXCLUDED),
        }
        if verb in steps:
            self.step = steps[verb](self.cleaned_data["do"].removeprefix(verb).strip())
        elif verb == "find":
            self._words()
        elif verb in {"undo", "redo"}:
            if getattr(self.desk.steps, verb) is None:
                raise forms.ValidationError(f"There is nothing to {verb}.")
        elif verb:
            raise forms.ValidationError("Unknown action. Reload the page.")
        return self.cleaned_data

    def _confirm(self, uid: str) -> Step:
        match = self._match(uid)
        if match.by_hand:
            raise forms.ValidationError(_NOTHING_CHANGES)
        return DID.CONFIRMED, (Correction(match.scu_uid, Verdict.CONFIRMED, match.spans),)

    def _remove(self, uid: str) -> Step:
        return DID.REMOVED, (Correction(self._match(uid).scu_uid, Verdict.REMOVED),)

    def _add(self, about: str) -> Step:
        uid, words = self._idea(about), self._words()
        match = self._shown.get(uid)
        if match is not None and match.spans == words:
            return self._confirm(about)
        return DID.MOVED if match else DID.ADDED, (Correction(uid, Verdict.MATCHED, words),)

    def _exchange(self, both: str) -> Step:
        """Count the words of a match as another idea instead of the first."""
        first, _, second = both.partition(" ")
        match, uid = self._match(first), self._idea(second)
        if match.scu_uid == uid:
            raise forms.ValidationError(_NOTHING_CHANGES)
        spans = join_spans(self.cleaned_data["spans"]) or match.spans
        removed = Correction(match.scu_uid, Verdict.REMOVED)
        return DID.EXCHANGED, (removed, Correction(uid, Verdict.MATCHED, spans))

    def _as_found(self, about: str) -> Step:
        uid = self._idea(about)
        if uid not in self.desk.decisions:
            raise forms.ValidationError(_NOTHING_CHANGES)
        return DID.AS_FOUND, (Correction(uid, Verdict.AS_FOUND),)

    def _leave_out(self) -> Step:
        """Statements count as a whole, so that a part of one cannot be left out."""
        words = self._words()
        is_whole = any(is_mostly_in(segment.spans, words) for segment in self._segments)
        if not is_whole and not shared_length(words, self._held):
            nearest = max(
                self._segments,
                key=lambda segment: shared_length(segment.spans, words),
                default=None,
            )
            if nearest is None or not shared_length(nearest.spans, words):
                raise forms.ValidationError(
                    "These words don't count, because they are not in any statement."
                )
            raise forms.ValidationError(
                "A statement counts as a whole. Choose all of "
                f"“{shortened(self.text.quoted(nearest.spans), LONGEST_CHOICE)}”."
            )
        return DID.EXCLUDED, (Correction(None, Verdict.EXCLUDED, words),)

    def _count(self, ref: str) -> Step:
        words = spans_at(ref, self.text.content) if ref else self._words()
        if not shared_length(words, join_spans((*self.desk.excluded, *self._held))):
            raise forms.ValidationError("These words are neither excluded nor held.")
        return DID.COUNTED, (Correction(None, Verdict.COUNTED, words),)

    def _decide_held(self, did: MarkingStep.Did, verdict: Verdict) -> Step:
        if not self._held:
            raise forms.ValidationError("No words are held any more. Reload the page.")
        return did, (Correction(None, verdict, self._held),)

    def _other(self) -> str:
        other = self.cleaned_data.get("other")
        if other is None:
            raise forms.ValidationError("Choose the idea first.")
        return str(other)

    def _words(self) -> Spans:
        words = join_spans(self.cleaned_data["spans"])
        if not words and not self.errors:
            raise forms.ValidationError("Choose words of the text first, or tick a sentence.")
        return words

    def _idea(self, about: str) -> int:
        uid = int(about) if about.isdecimal() and len(about) < 10 else None
        if uid is None or uid not in self._ideas:
            raise forms.ValidationError("This idea is not in the pyramid that scores the text.")
        return uid

    def _match(self, about: str) -> Match:
        match = self._matches.get(self._idea(about))
        if match is None:
            raise forms.ValidationError(
                "This idea is no longer matched in the text. Reload the page."
            )
        return match


class RewordForm(forms.Form):
    """Other words for a comment."""

    LONGEST = 4_000

    comment = forms.CharField(
        label="Comment",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        error_messages={"required": "Write something, or delete the comment."},
    )

    def clean_comment(self) -> str:
        return with_one_line_end(self.cleaned_data["comment"])


class SavedCommentForm(forms.Form):
    """Words to use again, and the key that stands for them."""

    MOST = 300  # in a course

    key = forms.CharField(
        label="Key",
        max_length=20,
        help_text="Letters, numbers and hyphens.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": "Enter a key, such as “own-words”."},
    )
    text = forms.CharField(
        label="Comment",
        max_length=RewordForm.LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Write the comment."},
    )

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"].removeprefix("/").casefold()
        if not _SAVED_KEY.fullmatch(key):
            raise forms.ValidationError(
                "Use letters, numbers and hyphens only, such as “own-words”."
            )
        return key

    def clean_text(self) -> str:
        return with_one_line_end(self.cleaned_data["text"])

    def check_room(self, course: Course) -> None:
        """Is there room in the course for a new one?"""
        if self.is_bound and course.saved_comments.count() >= self.MOST:
            sentence = f"A course can have {self.MOST} saved comments. Delete one first."
            self.add_error(None, sentence)


class CopyForm(forms.Form):
    """The submissions to which a decision is to be applied as well, as they are ticked."""

    do = forms.ChoiceField(choices=(("copy", "Apply"), ("undo", "Undo")))
    submission = forms.TypedMultipleChoiceField(required=False, coerce=int)

    def __init__(self, *args: Any, submissions: Iterable[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["submission"].choices = [(pk, pk) for pk in submissions]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("do") == "copy" and not self.cleaned_data.get("submission"):
            raise forms.ValidationError("Tick the submissions to apply it to.")
        return self.cleaned_data


class CommentForm(RewordForm, ChosenWordsForm):
    """A comment to the student, or a note for graders: two buttons, and neither is a default.

    ``saved`` is the text of a saved comment, chosen from a list: it comes before what was typed.
    """

    audience = forms.ChoiceField(
        choices=(("student", "Send to the student"), ("graders", "Keep as a note")),
        error_messages={"required": "Choose who can read it."},
    )
    idea = forms.IntegerField(required=False, min_value=0, max_value=10**9)
    saved = forms.CharField(required=False, max_length=RewordForm.LONGEST)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["comment"].required = False

    def clean(self) -> dict[str, Any]:
        super().clean()
        parts = (self.cleaned_data.get("saved", ""), self.cleaned_data.get("comment", ""))
        text = "\n".join(with_one_line_end(part) for part in parts if part)
        if not text and "comment" not in self.errors:
            self.add_error("comment", "Write something first.")
        elif len(text) > self.LONGEST:
            self.add_error("comment", f"Write at most {self.LONGEST:,} characters.")
        self.cleaned_data["comment"] = text
        return self.cleaned_data

    @property
    def about_idea(self) -> int | None:
        """The idea of the comment. None where words were chosen, which say it more exactly."""
        idea: int | None = self.cleaned_data["idea"]
        return None if self.cleaned_data["spans"] else idea


class AnnotationsForm(forms.Form):
    """A ``.pan`` file, or a zip of them; ``files_read`` are there once the form is valid.

    ``owner`` is the pk of the user who sends it.
    """

    file = forms.FileField(
        label="File",
        help_text="A .pan file, or a .zip of them. At most 9 MB.",
        widget=forms.FileInput(attrs={"accept": ".pan,.zip,.xml"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )

    def __init__(self, *args: Any, owner: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._owner = owner
        self.files_read: tuple[AnnotationFile, ...] = ()

    def clean_file(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                f"“{file.name}” has {file.size or 0:,} bytes; the limit is {LARGEST_FILE:,}."
            )
        try:
            self.files_read = read_apart(
                read_annotation_files,
                file.read(),
                str(file.name),
                owner=self._owner,
                seconds=SECONDS_TO_READ,
            )
        except InputError as error:
            raise forms.ValidationError(str(error)) from None
        return file


class ProposedForm(forms.Form):
    """The corrections of a preview, signed, so that only what was shown can be imported."""

    proposed = forms.CharField(
        widget=forms.HiddenInput, error_messages={"required": "There was nothing to import."}
    )

    def __init__(
        self,
        *args: Any,
        assignment: Assignment,
        shown: Sequence[ComparedFile] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._salt = f"annotations for assignment {assignment.pk}"
        proposals = [
            {
                "submission": file.submission.pk,
                "stamp": file.stamp,
                "changes": [
                    [change.scu_uid, str(change.verdict), spans_to_json(change.spans)]
                    for change in file.changes.corrections
                ],
            }
            for file in shown
            if file.submission and file.changes
        ]
        self.initial["proposed"] = signing.dumps(proposals, salt=self._salt, compress=True)

    def clean_proposed(self) -> list[ProposedStep]:
        try:
            proposals = signing.loads(self.cleaned_data["proposed"], salt=self._salt)
        except signing.BadSignature:
            raise forms.ValidationError("The preview has expired. Choose the file again.") from None
        return [
            ProposedStep(
                proposal["submission"],
                proposal["stamp"],
                tuple(
                    Correction(uid, Verdict(verdict), spans_from_json(spans) if spans else ())
                    for uid, verdict, spans in proposal["changes"]
                ),
            )
            for proposal in proposals
        ]
