"""What each process imports before it has anything to do: it should start at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OF_WORKERS = {"spacy", "onnxruntime", "tokenizers", "gensim", "scipy", "networkx", "penman"}
# Of the core, models need formats and what they are made of. allauth imports requests.
OF_PAGES = {"numpy", "snowballstemmer", "jwt", "cryptography", "grading.pyramid.registry"}


def loaded_after(program: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport json, sys\nprint(json.dumps([*sys.modules]))"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return set(json.loads(told.splitlines()[-1]))


def test_every_process_starts_without_models_pages_and_jobs() -> None:
    loaded = loaded_after("import django\ndjango.setup()")
    assert "grading.models" in loaded
    assert not loaded & (OF_WORKERS | OF_PAGES)
    ours = {name for name in loaded if name.startswith("grading.")}
    assert not {name for name in ours if name.endswith((".actions", ".views"))}


def test_every_process_wakes_workers_through_our_celery() -> None:
    loaded_after(
        "import django\ndjango.setup()\nfrom celery import current_app\n"
        "assert current_app.main == 'pyreval_site'"
    )


def test_settings_are_read_without_celery_and_tables() -> None:
    loaded = loaded_after("from django.conf import settings\nassert settings.DATABASES")
    assert not loaded & {"celery", "kombu", "django_stubs_ext", "django.db.models.query"}


def test_a_command_for_files_starts_without_apps_celery_and_models() -> None:
    loaded = loaded_after(
        "import sys\nfrom contextlib import suppress\nimport manage\n"
        "sys.argv = ['manage.py', 'build_pyramid', '--help']\n"
        "with suppress(SystemExit): manage.main()"
    )
    assert "grading.pyramid.cli.building" in loaded
    assert not loaded & {"celery", "kombu", "allauth", "requests", "jwt", "grading.models"}
    assert not loaded & (OF_WORKERS | {"grading.pyramid.matchers.classroom"})
    assert not {name for name in loaded if name.startswith(("django.contrib", "grading.web"))}


def test_a_web_process_has_its_pages_before_the_first_request_and_no_models() -> None:
    loaded = loaded_after("import pyreval_site.wsgi")
    assert {"grading.submissions.views", "grading.api.v1.api"} <= loaded
    assert not loaded & OF_WORKERS


def test_a_worker_knows_what_does_each_kind_of_job_before_it_forks() -> None:
    loaded = loaded_after(
        "import django\ndjango.setup()\nimport grading.tasks\n"
        "from grading.models import Job\nfrom grading.jobs.runner import _registered\n"
        "assert set(_registered) == set(Job.Kind)"
    )
    assert "grading.pyramid.matchers.classroom" in loaded
    assert not loaded & OF_WORKERS
