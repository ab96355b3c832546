"""One's own API tokens, and the webhooks of courses that one teaches."""

from django.http import Http404

from grading.access.courses import get_instructor_membership_for
from grading.models import ApiToken, Membership, User, Webhook


def get_own_token_for(user: User, token_pk: int) -> ApiToken:
    token = user.api_tokens.select_related("course").filter(pk=token_pk).first()
    if token is None:
        raise Http404("No such token.")
    return token


def get_webhook_for(user: User, webhook_pk: int) -> tuple[Webhook, Membership]:
    """A webhook of a course that the user teaches."""
    webhook = Webhook.objects.filter(pk=webhook_pk).first()
    if webhook is None:
        raise Http404("No such webhook.")
    membership = get_instructor_membership_for(user, webhook.course_id)
    webhook.course = membership.course
    return webhook, membership
