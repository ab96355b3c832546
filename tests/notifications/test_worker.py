"""A real worker sends through a real mail server, and each e-mail once."""

import socketserver
import threading
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from grading.assignments.actions import submissions_release
from grading.models import Assignment, Job, Notice, Submission
from tests.conftest import Cast
from tests.grade_scene import hand_in
from tests.workers import running_worker, wait_until

pytestmark = [pytest.mark.workers, pytest.mark.django_db(transaction=True)]


class MailServer(socketserver.ThreadingTCPServer):
    """Takes every e-mail, but is out of order for the first."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.received: list[bytes] = []
        self.is_out_of_order = False

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Session(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._say("220 ready")
        while line := self.rfile.readline():
            command = line[:4].upper()
            if command == b"DATA":
                self._take()
            elif command == b"MAIL" and self.server.is_out_of_order:
                self._say("451 try later")
            elif command == b"QUIT":
                return self._say("221 bye")
            else:
                self._say("250 fine")
        return None

    def _take(self) -> None:
        self._say("354 go on")
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line)
        self.server.received.append(b"".join(lines))
        self._say("250 taken")

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@pytest.fixture
def mail_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServer]:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        monkeypatch.setenv("EMAIL_HOST", "127.0.0.1")
        monkeypatch.setenv("EMAIL_PORT", str(server.port))
        monkeypatch.setenv("EMAIL_USE_TLS", "false")
        monkeypatch.setenv("SITE_URL", "https://classroom.example.org/")
        yield server
        server.shutdown()


def test_two_releases_and_a_mail_server_that_was_away_send_one_mail(
    cast: Cast, assignment: Assignment, tmp_path: Path, mail_server: MailServer
) -> None:
    Assignment.objects.update(release="by_hand", title="Essay 2", mails_since=assignment.created_at)
    assignment.refresh_from_db()
    hand_in(assignment, cast.student, 0.5)

    def release(visibility: Submission.Visibility) -> None:
        submissions_release(
            assignment=assignment,
            students=[cast.student.pk],
            visibility=visibility,
            author=cast.instructor,
        )

    def jobs_done() -> bool:
        return not Job.objects.unfinished().exists()

    mail_server.is_out_of_order = True
    release(Submission.Visibility.SHOWN)
    with running_worker(tmp_path):
        wait_until(lambda: Notice.objects.filter(tries=1).exists(), "the first try fails")
        wait_until(jobs_done, "the job ends all the same")
        mail_server.is_out_of_order = False
        Notice.objects.update(send_after=assignment.created_at)
        release(Submission.Visibility.HELD_BACK)
        release(Submission.Visibility.SHOWN)
        wait_until(lambda: Notice.objects.filter(state="sent").exists(), "the mail is sent")
        release(Submission.Visibility.HELD_BACK)
        release(Submission.Visibility.SHOWN)
        wait_until(jobs_done, "the second release has its job")

    [email] = [message_from_bytes(data) for data in mail_server.received]
    assert email["To"] == "zoe@example.org"
    assert email["Subject"] == "Your result for Essay 2 is ready"
    body = email.get_payload(decode=True)
    assert isinstance(body, bytes)
    assert b"https://classroom.example.org/submissions/" in body
