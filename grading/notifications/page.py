"""The section *E-mail* of an account, and what pages say of who is e-mailed."""

from typing import Any

from grading import access
from grading.models import Assignment, MailChoices, User
from grading.notifications.forms import MailChoicesForm


def mail_section(user: User, data: Any = None) -> dict[str, Any]:
    """The context of ``grading/notifications/_section.html``."""
    places = access.get_memberships_of(user)
    return {
        "mail_form": MailChoicesForm(
            data,
            instance=MailChoices.objects.of(user),
            teaches=any(place.is_grader for place in places),
        ),
        "mail_is_set_up": access.mail_is_set_up(),
        "receives_mail": access.can_receive_mail(user),
        "address": user.email,
    }


def result_mail_sentence(assignment: Assignment) -> str:
    """Say whether students are e-mailed when their result is ready, and else why not."""
    if not access.mail_is_set_up():
        return "Students get no e-mail: mail isn't set up on this server."
    if not assignment.course.sends_mail:
        return "Students get no e-mail: e-mails are off in the course's settings."
    if not assignment.mails_results:
        return "Students get no e-mail: e-mails are off in the settings."
    return "Students get an e-mail when their result is ready, unless they switched it off."
