"""What people fill in, and what is wrong with it in plain words."""

from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q
from django.utils import timezone

from grading.models import Assignment, Course, Membership, Reference, Role, Submission, User
from grading.models.summaries import count_words
from grading.pyramid.structures import Text

LONGEST_TEXT = 60_000  # characters: some 10,000 words, twice what an assignment can ask for
LARGEST_FILE = 500_000  # bytes
MOST_REFERENCES = 12
CHARACTERS_A_WORD = 30  # of a summary at most, on average: what is beyond it is no prose
YEARS = range(2000, 2200)  # of due dates: outside, times in other zones may not exist


# Places that people know; the rest of the database are old names and offsets ("Etc/GMT+10").
REGIONS = (
    "Africa/", "America/", "Antarctica/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/",
    "Pacific/",
)  # fmt: skip


def _zone_choices() -> list[tuple[str, str]]:
    names = sorted(name for name in available_timezones() if name.startswith(REGIONS))
    return [(name, name.replace("_", " ")) for name in names]


class TimeZoneField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(choices=lambda: [("UTC", "UTC"), *_zone_choices()], **options)


class SignUpForm(BaseUserCreationForm[User]):
    time_zone = TimeZoneField(
        initial="UTC",
        help_text="Times are shown in it.",
        widget=forms.Select(attrs={"data-time-zone": ""}),
    )

    class Meta:
        model = User
        fields = ["name", "username", "email", "time_zone"]
        help_texts = {
            "name": "As your instructor knows you, in any script.",
            "username": "To log in with. No spaces: letters, digits and @ . + - _",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = True
        self.fields["username"].widget.attrs.pop("autofocus", None)
        self.fields["name"].widget.attrs["autofocus"] = True

    def clean_username(self) -> str:
        login = str(self.cleaned_data["username"])
        taken = Q(username__iexact=login) | Q(email__iexact=login)
        if User.objects.filter(taken).exists():
            raise forms.ValidationError("Somebody has this login already. Choose another.")
        return login

    def clean_email(self) -> str:
        return _free_address(str(self.cleaned_data["email"]), self.instance)


def _free_address(address: str, user: User) -> str:
    if address and User.objects.filter(email__iexact=address).exclude(pk=user.pk).exists():
        raise forms.ValidationError("There is an account with this e-mail address already.")
    return address


class LogInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": "No account has this login and password. Mind upper and lower case.",
        "inactive": "This account is closed. Ask the administrator.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Login or e-mail address"


class AccountForm(forms.ModelForm[User]):
    time_zone = TimeZoneField()

    class Meta:
        model = User
        fields = ["name", "email", "time_zone"]

    def clean_email(self) -> str:
        return _free_address(str(self.cleaned_data["email"]), self.instance)


class CourseForm(forms.ModelForm[Course]):
    time_zone = TimeZoneField(help_text="Due dates count in this zone.")

    class Meta:
        model = Course
        fields = ["name", "term", "time_zone"]
        help_texts = {"term": "Such as “Autumn 2026”."}


class JoinForm(forms.Form):
    code = forms.CharField(
        label="Course code", max_length=30, help_text="Seven letters and digits from your teacher."
    )

    def clean_code(self) -> Course:
        found = Course.objects.all().with_code(self.cleaned_data["code"]).first()
        if found is None:
            raise forms.ValidationError(
                "No course has this code. Check it for mistyped letters; it has no O, I, 0 or 1."
            )
        return found


class RoleForm(forms.ModelForm[Membership]):
    role = forms.ChoiceField(choices=Role.choices)

    class Meta:
        model = Membership
        fields = ["role"]


class AssignmentForm(forms.ModelForm[Assignment]):
    """Due dates are typed and shown in the course's time zone."""

    class Meta:
        model = Assignment
        fields = [
            "title",
            "instructions",
            "source_title",
            "source_text",
            "min_words",
            "max_words",
            "due_at",
            "shows_results",
        ]
        widgets = {
            "instructions": forms.Textarea(attrs={"rows": 3}),
            "source_text": forms.Textarea(attrs={"rows": 10, "class": "textarea-long"}),
            "due_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }
        help_texts = {
            "instructions": "What students should do. They see it above the text field.",
            "min_words": "Shorter ones are taken all the same; the student and you are told.",
            "max_words": "Longer ones are refused.",
            "source_text": "Students can read it beside their summary. Leave it empty if they "
            "have it on paper.",
        }

    def __init__(self, *args: Any, course: Course, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = ZoneInfo(course.time_zone)
        self.instance.course = course
        self.fields["due_at"].help_text = f"In the course's time zone, {self.zone.key}."
        if self.instance.due_at is not None:
            local = self.instance.due_at.astimezone(self.zone)
            self.initial["due_at"] = local.replace(tzinfo=None)

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        shortest, longest = cleaned.get("min_words"), cleaned.get("max_words")
        if shortest is not None and longest is not None and shortest > longest:
            self.add_error("min_words", "The shortest cannot be longer than the longest.")
        due_at = cleaned.get("due_at")
        if due_at is not None and due_at.year not in YEARS:
            self.add_error("due_at", f"The year {due_at.year} cannot be meant.")
        elif due_at is not None:
            cleaned["due_at"] = self._in_course_time(due_at)
        return cleaned

    def _in_course_time(self, typed: Any) -> Any:
        """What was typed is a wall clock time of the course, whatever zone the reader is in."""
        naive = timezone.make_naive(typed) if timezone.is_aware(typed) else typed
        return naive.replace(tzinfo=self.zone)


class StateForm(forms.Form):
    state = forms.ChoiceField(choices=Assignment.State.choices)


def _decode(file: UploadedFile[Any]) -> str:
    """The text of an uploaded file, or a ValidationError that names the file."""
    if (file.size or 0) > LARGEST_FILE:
        raise forms.ValidationError(f"“{file.name}” is larger than half a megabyte.")
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError(
            f"“{file.name}” is not a plain text file in UTF-8. "
            "Save it as “plain text, UTF-8”, or paste the text."
        ) from None
    return check_text(text, f"“{file.name}”")


def check_text(text: str, what: str) -> str:
    """The text with line ends made one kind; ValidationError if it cannot be a summary."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise forms.ValidationError(f"{what} is empty.")
    if "\x00" in text:
        raise forms.ValidationError(f"{what} is not plain text.")
    if len(text) > LONGEST_TEXT:
        raise forms.ValidationError(
            f"{what} has {len(text):,} characters; at most {LONGEST_TEXT:,} can be taken."
        )
    return text


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyTextFilesField(forms.FileField):
    """Any number of .txt files, as Texts named after them."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        problems: list[forms.ValidationError] = []
        texts: list[Text] = []
        for file in files:
            try:
                super().clean(file, initial)
                texts.append(Text(str(file.name).rsplit(".", 1)[0], _decode(file)))
            except forms.ValidationError as problem:
                problems.append(problem)
        if problems:
            raise forms.ValidationError(problems)
        return texts


class ReferencesForm(forms.Form):
    """References by paste, by files, or both."""

    name = forms.CharField(
        max_length=90, required=False, help_text="Whose summary it is, for the pasted text."
    )
    text = forms.CharField(
        label="Paste a reference summary",
        required=False,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 8, "class": "textarea-long"}),
    )
    text_files = ManyTextFilesField(
        label="Or choose .txt files",
        required=False,
        help_text="One summary a file, UTF-8. Several at once are fine.",
        widget=ManyFilesInput(attrs={"accept": ".txt,text/plain"}),
    )

    def __init__(self, *args: Any, assignment: Assignment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.assignment = assignment

    def clean_text(self) -> str:
        typed = str(self.cleaned_data["text"])
        return check_text(typed, "The text") if typed.strip() else ""

    def clean(self) -> dict[str, Any]:
        super().clean()
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        texts = self.texts()
        if not texts:
            raise forms.ValidationError("Paste a reference summary or choose a file.")
        self._refuse_repetitions(texts)
        there = self.assignment.references.count()
        if there + len(texts) > MOST_REFERENCES:
            raise forms.ValidationError(
                f"An assignment takes at most {MOST_REFERENCES} references; there are {there} "
                f"already and these are {len(texts)} more."
            )
        return cleaned

    def _refuse_repetitions(self, texts: list[Text]) -> None:
        """The same text twice would double the weight of each of its ideas."""
        names = {reference.text: reference.name for reference in self.assignment.references.all()}
        for text in texts:
            if text.content in names:
                raise forms.ValidationError(
                    f"“{text.name or 'The pasted text'}” is the same text as "
                    f"“{names[text.content]}”. Each reference must be somebody else's."
                )
            names[text.content] = text.name or "the pasted text"

    def texts(self) -> list[Text]:
        pasted = self.cleaned_data.get("text")
        first = [Text(self.cleaned_data.get("name") or "", pasted)] if pasted else []
        return [*first, *(self.cleaned_data.get("text_files") or [])]


class ReferenceForm(forms.ModelForm[Reference]):
    class Meta:
        model = Reference
        fields = ["name", "text"]
        widgets = {"text": forms.Textarea(attrs={"rows": 14, "class": "textarea-long"})}

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        others = self.instance.assignment.references.exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise forms.ValidationError(f"Another reference is named “{name}” already.")
        return name

    def clean_text(self) -> str:
        return check_text(str(self.cleaned_data["text"]), "The text")


class SubmissionForm(forms.Form):
    """A student's next attempt, begun with the words of the one before."""

    text = forms.CharField(
        label="Your summary",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "class": "textarea-long"}),
        error_messages={"required": "There is no text yet. Write or paste your summary."},
    )

    def __init__(
        self, *args: Any, assignment: Assignment, latest: Submission | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.assignment = assignment
        self.latest = latest
        self.initial["text"] = latest.text if latest else ""
        self.fields["text"].widget.attrs |= {
            "data-word-count": "id_text_count",
            "data-min": assignment.min_words,
            "data-max": assignment.max_words,
            "aria-describedby": "id_text_count",
        }

    def clean_text(self) -> str:
        text = check_text(str(self.cleaned_data["text"]), "Your summary")
        if self.latest is not None and text == self.latest.text:
            raise forms.ValidationError(
                f"This is the same text as your attempt {self.latest.attempt}: nothing to hand in."
            )
        if len(text) > CHARACTERS_A_WORD * self.assignment.max_words:
            raise forms.ValidationError(
                f"Your summary has {len(text):,} characters; {self.assignment.max_words} words "
                f"need far fewer. Is something in it that does not belong there?"
            )
        words = count_words(text)
        if words > self.assignment.max_words:
            raise forms.ValidationError(
                f"Your summary has {words} words; at most {self.assignment.max_words} are "
                f"allowed. Cut {words - self.assignment.max_words}."
            )
        return text
