"""The administrator's pages: accounts, and a look at courses and jobs."""

from collections.abc import Sequence
from typing import Any, TypeVar

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from grading.models import AuditKind, Course, Deletion, Job, Membership, User, record

M = TypeVar("M", bound=Model)


class AuditedAdmin(admin.ModelAdmin[M]):
    """Leaves a record of what an administrator does: which row and fields, not their values."""

    def log_addition(self, request: HttpRequest, obj: M, message: Any) -> LogEntry:
        _record("Added", obj, message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: M, message: Any) -> LogEntry:
        _record("Changed", obj, message)
        self.notify_owner(obj, _fields_of(message))
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[M]) -> Any:
        for row in queryset:
            _record("Deleted", row, [])
            self.notify_owner(row, [])
        return super().log_deletions(request, queryset)

    def notify_owner(self, row: M, fields: Sequence[str]) -> None:
        """Mail whose account is changed in how they log in."""


def _notify(user: User, what: str, address: str | None = None) -> None:
    context = {"what": what}
    get_adapter().send_notification_mail("account/email/administered", user, context, address)


def _parts_of(message: Any) -> list[dict[str, Any]]:
    """Of what Django's administration notes of a change."""
    return [part for change in message if isinstance(change, dict) for part in change.values()]


def _fields_of(message: Any) -> list[str]:
    return [str(field) for part in _parts_of(message) for field in part.get("fields", [])]


def _record(verb: str, row: Model, message: Any) -> None:
    fields = _fields_of(message)
    tables = [f"a {part['name']}" for part in _parts_of(message) if "name" in part]
    about = f": {', '.join([*fields, *tables])}" if fields or tables else ""
    record(
        AuditKind.ADMINISTERED,
        f"{verb} {row._meta.verbose_name} {row.pk}{about}.",
        course=row if isinstance(row, Course) else None,
        person=row if isinstance(row, User) else getattr(row, "user", None),
    )


@admin.register(User)
class UserAdmin(AuditedAdmin[User], DjangoUserAdmin[User]):
    list_display = ["username", "name", "email", "may_create_courses", "is_active"]
    list_filter = ["may_create_courses", "is_active", "is_staff"]
    search_fields = ["username", "name", "email"]
    ordering = ["username"]
    add_form = AdminUserCreationForm[User]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        ("Person", {"fields": ["name", "email", "time_zone"]}),
        (
            "Rights",
            {"fields": ["may_create_courses", "is_active", "is_staff", "is_superuser", "groups"]},
        ),
    ]
    add_fieldsets = [
        (
            None,
            {
                "fields": [
                    "username",
                    "name",
                    "email",
                    "may_create_courses",
                    "usable_password",
                    "password1",
                    "password2",
                ]
            },
        ),
    ]
    readonly_fields = ["last_login"]

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """An address that an administrator gives is verified: they vouch for it."""
        super().save_model(request, obj, form, change)
        if "email" in form.changed_data:
            obj.verify_email(obj.email)
            if before := form.initial.get("email"):
                _notify(obj, "e-mail address", before)

    def notify_owner(self, row: User, fields: Sequence[str]) -> None:
        if "password" in fields:
            _notify(row, "password")


class MembershipInline(admin.TabularInline[Membership, Course]):
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Course)
class CourseAdmin(AuditedAdmin[Course]):
    list_display = ["name", "term", "code", "created_at"]
    search_fields = ["name", "term", "code"]
    inlines = [MembershipInline]


@admin.register(Job)
class JobAdmin(AuditedAdmin[Job]):
    list_display = ["pk", "kind", "assignment", "state", "tries", "created_at", "finished_at"]
    list_filter = ["state", "kind"]

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Deletion)
class DeletionAdmin(AuditedAdmin[Deletion]):
    """What was deleted for good, also with its course: who asked, when, how much."""

    list_display = ["kind", "number", "course_number", "state", "asked_by", "asked_at", "ended_at"]
    list_filter = ["state", "kind"]
    exclude = ["kept", "student", "assignment"]

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


# allauth's tables, on allauth's own pages: recorded too, and mailed to whose account it is.
_OF_LOG_INS: dict[type[Model], str] = {
    Authenticator: "second factor",
    EmailAddress: "e-mail address",
    SocialAccount: "single sign-on",
}


class LogInAdmin(AuditedAdmin[Any]):
    def notify_owner(self, row: Any, fields: Sequence[str]) -> None:
        _notify(row.user, _OF_LOG_INS[type(row)])


def _audit_pages_of_others() -> None:
    """Every page here leaves a record, whichever package it comes with."""
    for model in filter(admin.site.is_registered, apps.get_models()):
        page = admin.site.get_model_admin(model)
        if not isinstance(page, AuditedAdmin):
            own = LogInAdmin if model in _OF_LOG_INS else AuditedAdmin
            admin.site.unregister(model)
            admin.site.register(model, type(f"Audited{type(page).__name__}", (own, type(page)), {}))


_audit_pages_of_others()
