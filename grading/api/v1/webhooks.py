"""Webhooks of a course, and what was sent to them."""

from typing import Any

from ninja import Router, Status

from grading import access
from grading.api.actions import webhook_add, webhook_delete
from grading.api.forms import WebhookForm
from grading.api.middleware import TokenRequest
from grading.api.pages import USUAL_PAGE, After, Limit, page_of_rows, shown_page
from grading.api.problems import check_form
from grading.api.schemas import DeliveryOut, NewWebhookOut, Page, WebhookIn, WebhookOut
from grading.api.shown import shown_delivery, shown_webhook

router = Router(tags=["Webhooks"])


@router.get(
    "/courses/{id:course}/webhooks", response=list[WebhookOut], summary="Webhooks of a course"
)
def webhooks(request: TokenRequest, course: int) -> Any:
    membership = access.get_instructor_membership_for(request.user, course)
    return [shown_webhook(row) for row in membership.course.webhooks.all()]


@router.post(
    "/courses/{id:course}/webhooks", response={201: NewWebhookOut}, summary="Add a webhook"
)
def webhook_create(request: TokenRequest, course: int, payload: WebhookIn) -> Any:
    """The answer has the secret by which you check what is sent. It is not shown again."""
    membership = access.get_instructor_membership_for(request.user, course)
    form = check_form(WebhookForm(payload.dict()))
    row, secret = webhook_add(
        course=membership.course,
        url=form.cleaned_data["url"],
        kinds=form.kinds,
        author=request.user,
    )
    return Status(201, shown_webhook(row) | {"secret": secret})


@router.delete("/webhooks/{id:webhook}", response={204: None}, summary="Delete a webhook")
def webhook_remove(request: TokenRequest, webhook: int) -> Any:
    row, _ = access.get_webhook_for(request.user, webhook)
    webhook_delete(webhook=row, author=request.user)
    return Status(204, None)


@router.get(
    "/webhooks/{id:webhook}/deliveries",
    response=Page[DeliveryOut],
    summary="What was sent to a webhook in the last 30 days",
)
def deliveries(
    request: TokenRequest, webhook: int, after: After = "", limit: Limit = USUAL_PAGE
) -> Any:
    row, _ = access.get_webhook_for(request.user, webhook)
    page_rows, following = page_of_rows(row.deliveries.all(), after, limit)
    return shown_page([shown_delivery(delivery) for delivery in page_rows], following)
