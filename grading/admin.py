"""The administrator's pages: accounts, and a look at courses and jobs."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import AdminUserCreationForm

from grading.models import Course, Deletion, Job, Membership, User


@admin.register(User)
class UserAdmin(DjangoUserAdmin[User]):
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


class MembershipInline(admin.TabularInline[Membership, Course]):
    model = Membership
    extra = 0
    autocomplete_fields = ["user"]


@admin.register(Course)
class CourseAdmin(admin.ModelAdmin[Course]):
    list_display = ["name", "term", "code", "created_at"]
    search_fields = ["name", "term", "code"]
    inlines = [MembershipInline]


@admin.register(Job)
class JobAdmin(admin.ModelAdmin[Job]):
    list_display = ["pk", "kind", "assignment", "state", "tries", "created_at", "finished_at"]
    list_filter = ["state", "kind"]

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Deletion)
class DeletionAdmin(admin.ModelAdmin[Deletion]):
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
