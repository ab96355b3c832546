"""What a worker found out about a draft: one finding of each kind is kept, the latest."""

from typing import Any

from django.db import transaction

from grading.jobs.claims import Claim
from grading.models import Draft, Finding


@transaction.atomic
def finding_replace(
    *, draft: Draft, kind: Finding.Kind, document: dict[str, Any], claim: Claim
) -> None:
    """End the job and keep its finding, unless a later state of the draft has one already.

    ``draft`` is as the job loaded it: its revision is the one that the finding is about.
    """
    Draft.objects.select_for_update().only("pk").get(pk=draft.pk)
    claim.finish()
    rows = Finding.objects.filter(draft=draft, kind=kind)
    if rows.filter(revision__gt=draft.revision).exists():
        return
    rows.delete()
    Finding.objects.create(draft=draft, kind=kind, revision=draft.revision, document=document)
