"""Accounts that a course's roster has made, until their people have taken them into their hands."""

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import models
from django.db.models import QuerySet
from django.utils import timezone

from grading.models.courses import Course, Membership, Role
from grading.models.users import User


class RosterAccount(models.Model):
    """An account that an instructor's file made: with a name, without a password."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="roster_account")
    course = models.ForeignKey(
        Course, on_delete=models.SET_NULL, null=True, related_name="roster_accounts"
    )
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    email = models.EmailField(blank=True)  # where the link goes by which its owner claims it

    def __str__(self) -> str:
        return f"{self.user}, from a roster"

    @property
    def is_untouched(self) -> bool:
        """Has nobody chosen a password or logged in yet?"""
        return not self.user.has_usable_password() and self.user.last_login is None


def unclaimed_accounts() -> QuerySet[RosterAccount]:
    """Accounts that nobody has ever used: only a mailed link opens them."""
    return RosterAccount.objects.select_related("user").filter(
        user__password__startswith=UNUSABLE_PASSWORD_PREFIX,
        user__last_login=None,
        user__is_active=True,
    )


def linkable_members(course: Course) -> QuerySet[Membership]:
    """Members for whom an instructor may make a link that sets their password.

    Only for accounts that nobody uses yet, that this course's roster made, and that lead into no
    other course: whoever has the link has the account.
    """
    elsewhere = Membership.objects.filter(user=models.OuterRef("user")).exclude(course=course)
    return course.memberships.filter(
        role=Role.STUDENT,
        user__roster_account__course=course,
        user__password__startswith=UNUSABLE_PASSWORD_PREFIX,
        user__last_login=None,
        user__is_active=True,
        user__is_staff=False,
        user__is_superuser=False,
    ).exclude(models.Exists(elsewhere))
