"""The filters of the audit log, all of them in the address of the page."""

from datetime import timedelta

from django import forms
from django.db.models import Q, QuerySet

from grading.models import AuditKind, AuditRecord, User

# What no course has: instructors need not choose from it.
_OF_THE_SITE = ("account.", "audit.", "job.", "site.")
KINDS = AuditKind.choices
KINDS_OF_COURSES = [kind for kind in KINDS if not kind[0].startswith(_OF_THE_SITE)]


class FilterForm(forms.Form):
    kind = forms.ChoiceField(label="What", required=False)
    who = forms.CharField(
        label="Who",
        required=False,
        max_length=254,
        help_text="Name, login or e-mail address.",
    )
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, data: object, *, kinds: list[tuple[str, str]]) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["kind"].choices = [("", "Everything"), *kinds]  # type: ignore[attr-defined]

    def filtered(
        self, records: QuerySet[AuditRecord], people: QuerySet[User]
    ) -> QuerySet[AuditRecord]:
        """Records that match; a name is looked up among the accounts ``people``."""
        if not self.is_valid():
            return records.none()
        chosen = self.cleaned_data
        if chosen["kind"]:
            records = records.filter(kind=chosen["kind"])
        if chosen["who"]:
            named = people.filter(
                Q(name__icontains=chosen["who"])
                | Q(username__iexact=chosen["who"])
                | Q(email__iexact=chosen["who"])
            ).values("pk")
            records = records.filter(Q(actor__in=named) | Q(person__in=named))
        if chosen["since"]:
            records = records.filter(at__date__gte=chosen["since"])
        if chosen["until"]:
            records = records.filter(at__date__lt=chosen["until"] + timedelta(days=1))
        return records
