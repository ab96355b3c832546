"""What only those see who run the site."""

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.models import Job, User


def get_operator(user: User) -> User:
    """The user, if they may open the administration pages."""
    if not user.is_staff:
        raise PermissionDenied("Only administrators of the site can see this page.")
    return user


def get_operated_job(user: User, job_pk: int) -> Job:
    """Any job of any course: to try it again or to cancel it."""
    get_operator(user)
    job = Job.objects.select_related("assignment", "course").filter(pk=job_pk).first()
    if job is None:
        raise Http404("No such job.")
    return job
