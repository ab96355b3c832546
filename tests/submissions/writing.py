"""What tests of writing and handing in share: a student's requests, and texts that are doubted."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.test import Client
from django.urls import reverse

from grading.models import Assignment, User

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

ClientOf = Callable[[User | None], Client]
BY_SCRIPT = {"HX-Request": "true"}
SOURCE = (
    "Cities are hotter than the country around them, and the reason is that dark roofs store the "
    "heat of the sun while trees, which would cool the streets, are few and far between."
)
SPANISH = (
    "Las ciudades son más calientes que el campo que las rodea, porque los tejados oscuros guardan "
    "el calor del sol y no hay árboles que den sombra."
)


def rules(assignment: Assignment, **fields: object) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(**fields)


def post(
    client: Client, name: str, assignment: Assignment, *, by_script: bool = False, **fields: object
) -> "Answer":
    headers = BY_SCRIPT if by_script else {}
    return client.post(reverse(name, args=[assignment.pk]), fields, headers=headers)


def page(client: Client, assignment: Assignment) -> "Answer":
    return client.get(reverse("assignment", args=[assignment.pk]))


def field(answer: "Answer") -> object:
    return answer.context["form"]["text"].value()


def messages_of(client: Client, assignment: Assignment) -> str:
    return " ".join(str(message) for message in page(client, assignment).context["messages"])
