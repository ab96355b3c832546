"""Celery tasks: load by id, call one action, nothing else."""

from importlib import import_module

from celery import shared_task

from grading.accounts.actions import sessions_forget
from grading.api.actions import old_answers_forget
from grading.api.deliveries import webhooks_look
from grading.bulk_import.actions import imports_forget
from grading.grades.actions import uploads_forget
from grading.housekeeping.deletions import clear_away
from grading.jobs.claims import jobs_sweep
from grading.jobs.pulse import sweeper_beat
from grading.jobs.runner import handlers, job_run_next
from grading.jobs.turns import WAKE_WORKER
from grading.lti.grades import grades_look
from grading.lti.logins import logins_forget
from grading.lti.rosters import SYNC_ROSTER, context_sync, contexts_due
from grading.notifications.actions import mails_look
from grading.scoring.score_changes import outdated_scores_renew
from grading.second_opinions.actions import outdated_opinions_renew

RENEW_SCORES = "grading.renew_scores"  # as pyreval_site/celery.py asks for it
SWEEP_JOBS = "grading.sweep_jobs"  # as pyreval_site/clock.py does it

# Before a worker forks, so that its processes share them.
handlers()
import_module("grading.pyramid.matchers.classroom")


@shared_task(name=WAKE_WORKER)
def run_next_job(queue: str) -> None:
    job_run_next(queue=queue)


@shared_task(name="grading.clear_away", expires=300)
def clear_what_is_due() -> None:
    clear_away()
    uploads_forget()
    imports_forget()
    old_answers_forget()
    logins_forget()
    sessions_forget()


@shared_task(name=RENEW_SCORES)
def renew_scores() -> None:
    outdated_scores_renew()
    outdated_opinions_renew()


@shared_task(name=SWEEP_JOBS)
def sweep_jobs() -> None:
    sweeper_beat()
    jobs_sweep()


@shared_task(name="grading.look_for_mails", expires=300)
def look_for_mails() -> None:
    mails_look()


@shared_task(name="grading.look_for_webhooks", expires=30)
def look_for_webhooks() -> None:
    webhooks_look()


@shared_task(name="grading.look_for_grades", expires=300)
def look_for_grades() -> None:
    grades_look()


@shared_task(name="grading.sync_lms_rosters", expires=3000)
def sync_lms_rosters() -> None:
    for context_pk in contexts_due():
        context_sync(context_pk=context_pk)


@shared_task(name=SYNC_ROSTER, expires=3000)
def sync_lms_roster(context_pk: int) -> None:
    context_sync(context_pk=context_pk)
