"""The commands of docs/api.md run, with curl, against a real server."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django.live_server_helper import LiveServer

from grading.api.deliveries import signature
from grading.jobs.runner import job_run_next
from grading.models import Assignment, Comment, Deletion, ManualGrade, MarkingStep, StoredPyramid
from grading.pyramid.pipeline import Engine
from tests.api.scene import make_token
from tests.conftest import make_cast

DOCS = Path(__file__).resolve().parents[2] / "docs" / "api.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCS.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.workers
@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl here")
@pytest.mark.django_db(transaction=True)
def test_the_recipes_run(
    live_server: LiveServer, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def do_at_once(queue: str) -> None:
        """In the place of a worker."""
        job_run_next(queue=queue)

    monkeypatch.setattr("grading.jobs.claims.wake_for", do_at_once)
    cache.clear()
    cast = make_cast()
    first, *others = blocks("sh")
    assert "TOKEN=" in first
    environment = {
        "PATH": os.environ["PATH"],
        "SITE": live_server.url,
        "TOKEN": make_token(cast.instructor, cast.course),
    }

    done = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", "\n".join(others)],  # noqa: S607
        check=False,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    rivers = Assignment.objects.get(title="Rivers")
    assert StoredPyramid.objects.get(assignment=rivers).note == "First version."
    assert rivers.submissions.count() == 3
    assert Comment.objects.get(submission__assignment=rivers).text.startswith("Where does")
    assert rivers.grade_rules.get().students_see
    assert cast.course.memberships.get(user__username="nia").section == "B"
    assert rivers.extensions.get().section == "B"
    assert zipfile.is_zipfile(tmp_path / "course.zip")
    assert zipfile.is_zipfile(tmp_path / "annotations.zip")
    assert Deletion.objects.get().state == Deletion.State.TAKEN_BACK
    assert [step.did for step in MarkingStep.objects.order_by("pk")] == ["removed", "undid"]
    assert ManualGrade.objects.get().points == 80
    assert "zoe" in (tmp_path / "gradebook.csv").read_text("utf-8-sig")
    assert (tmp_path / "rivers.pyr").read_text().startswith("<?xml")


def test_messages_are_checked_as_the_docs_say() -> None:
    names: dict[str, Any] = {}
    exec("\n".join(blocks("python")), names)  # noqa: S102
    at = str(int(names["time"].time()))
    headers = {
        "X-PyrEval-Timestamp": at,
        "X-PyrEval-Signature": f"v1={signature('secret', at, b'{}')}",
    }

    assert names["is_genuine"]("secret", headers, b"{}")
    assert not names["is_genuine"]("secret", headers, b"{ }")
    assert not names["is_genuine"]("other", headers, b"{}")
    assert not names["is_genuine"]("secret", headers | {"X-PyrEval-Timestamp": "1"}, b"{}")
