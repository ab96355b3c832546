"""Webhooks: found once, signed, tried again, and never sent into a private network."""

import hashlib
import hmac
import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address, ip_network

import pytest
from django.conf import LazySettings
from django.utils import timezone

from grading.api import deliveries, targets
from grading.api.actions import old_answers_forget
from grading.api.deliveries import TRIED_AGAIN_AFTER, webhooks_look
from grading.api.targets import TargetError, find_address, is_allowed, post, read_target
from grading.assignments.actions import submissions_release
from grading.jobs.runner import job_run
from grading.models import Assignment, Course, Job, Score, SecondLook, Submission, Webhook
from grading.models import WebhookDelivery as Delivery
from tests.scenes import Scene

LOCAL = ip_network("127.0.0.0/8")


@dataclass
class Receiver:
    """A program that listens; ``statuses`` are what it answers, the last for ever."""

    url: str
    statuses: list[int] = field(default_factory=lambda: [200])
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@pytest.fixture
def receiver(settings: LazySettings) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = [LOCAL]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            result.got.append((self.path, dict(self.headers), body))
            status = result.statuses.pop(0) if len(result.statuses) > 1 else result.statuses[0]
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    result = Receiver(f"http://127.0.0.1:{server.server_port}/hook?of=pyreval")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield result
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def webhook(scene: Scene, receiver: Receiver) -> Webhook:
    webhook = Webhook.objects.get()
    webhook.url = receiver.url
    webhook.created_at = timezone.now() - timedelta(hours=1)
    webhook.save()
    return webhook


def _send() -> None:
    """What the worker does at one look."""
    webhooks_look()
    for job in Job.objects.filter(kind=Job.Kind.SEND_WEBHOOKS, state=Job.State.QUEUED):
        assert job_run(job_pk=job.pk)
        job.refresh_from_db()
        assert job.is_done


def _wait() -> None:
    Delivery.objects.update(send_after=timezone.now() - timedelta(seconds=1))


def test_what_happened_is_told_once(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    _send()
    _send()

    events = [json.loads(body) for _, _, body in receiver.got]
    kinds = sorted(event["event"] for event in events)
    assert kinds == ["released", "scored", "second_look.requested"]
    submission = Submission.objects.get()
    assert {event["submission"] for event in events} == {submission.pk}
    assert all(path == "/hook?of=pyreval" for path, _, _ in receiver.got)
    assert not Delivery.objects.exclude(state=Delivery.State.SENT).exists()


def test_names_texts_and_scores_are_not_told(
    scene: Scene, webhook: Webhook, receiver: Receiver
) -> None:
    _send()

    submission = Submission.objects.get()
    for _, _, body in receiver.got:
        for secret in (scene.cast.student.name, scene.cast.student.username, submission.text[:20]):
            assert json.dumps(secret).strip('"').encode() not in body
        assert b"comprehensive" not in body


def test_the_signature_holds(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    """Checked as docs/api.md says."""
    _send()

    _, headers, body = receiver.got[0]
    at = headers["X-PyrEval-Timestamp"]
    expected = hmac.new(webhook.secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    assert headers["X-PyrEval-Signature"] == f"v1={expected.hexdigest()}"
    assert abs(int(at) - timezone.now().timestamp()) < 60


def test_a_failed_one_is_tried_again_later_and_later(
    scene: Scene, webhook: Webhook, receiver: Receiver
) -> None:
    Webhook.objects.update(released=False, second_looks=False)
    receiver.statuses = [500]

    for number, pause in enumerate(TRIED_AGAIN_AFTER, start=1):
        _send()
        row = Delivery.objects.get()
        assert (row.state, row.tries, row.problem) == ("waiting", number, "Answered 500.")
        assert abs(row.send_after - timezone.now() - pause) < timedelta(seconds=30)
        _send()
        assert len(receiver.got) == number, "its time has not come"
        _wait()
    _send()

    assert Delivery.objects.get().state == Delivery.State.FAILED
    _wait()
    _send()
    assert len(receiver.got) == len(TRIED_AGAIN_AFTER) + 1


def test_it_is_sent_when_the_receiver_is_back(
    scene: Scene, webhook: Webhook, receiver: Receiver
) -> None:
    receiver.statuses = [503, 200]

    _send()
    assert len(receiver.got) == 1, "an address that fails waits as a whole"
    _wait()
    _send()

    assert Delivery.objects.filter(state="sent", problem="").count() == 3


def test_redirects_are_not_followed(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    receiver.statuses = [302]

    _send()

    assert [path for path, _, _ in receiver.got] == ["/hook?of=pyreval"]
    assert Delivery.objects.exclude(problem="").get().problem == "Answered 302."


def test_only_what_was_chosen_is_told(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    Webhook.objects.update(scored=False, released=False)

    _send()

    assert [json.loads(body)["event"] for _, _, body in receiver.got] == ["second_look.requested"]


def test_what_was_before_it_is_no_news(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    Webhook.objects.update(created_at=timezone.now())

    _send()

    assert not receiver.got


def test_results_that_are_not_shown_are_not_released(
    scene: Scene, webhook: Webhook, receiver: Receiver
) -> None:
    Assignment.objects.update(release="by_hand")
    Webhook.objects.update(scored=False, second_looks=False)
    _send()
    assert not receiver.got

    submissions_release(
        assignment=scene.assignment,
        students=[scene.cast.student.pk],
        visibility=Submission.Visibility.SHOWN,
        author=scene.cast.ta,
    )
    _send()

    assert [json.loads(body)["event"] for _, _, body in receiver.got] == ["released"]


def test_a_due_date_that_passes_releases(
    scene: Scene, webhook: Webhook, receiver: Receiver
) -> None:
    Score.objects.update(created_at=timezone.now() - timedelta(days=2))
    Webhook.objects.update(scored=False, second_looks=False)
    Assignment.objects.update(release="after_due", due_at=timezone.now() + timedelta(hours=1))
    _send()
    assert not receiver.got

    Assignment.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    _send()

    assert [json.loads(body)["event"] for _, _, body in receiver.got] == ["released"]


def test_an_answer_is_told(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    _send()
    SecondLook.objects.update(state="declined", answered_at=timezone.now())

    _send()

    assert json.loads(receiver.got[-1][2])["event"] == "second_look.answered"


@pytest.mark.parametrize("field", ["archived_at", "leaves_at"])
def test_an_archived_course_tells_nothing(
    field: str, scene: Scene, webhook: Webhook, receiver: Receiver
) -> None:
    Course.objects.update(**{field: timezone.now()})

    _send()

    assert not receiver.got


def test_two_workers_send_it_once(scene: Scene, webhook: Webhook, receiver: Receiver) -> None:
    webhooks_look()
    row = Delivery.objects.first()
    assert row is not None
    assert deliveries._send(row)
    assert deliveries._send(row)

    assert len(receiver.got) == 1


def test_old_notes_are_forgotten(scene: Scene, webhook: Webhook) -> None:
    webhooks_look()
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=31))

    old_answers_forget()

    assert not Delivery.objects.exists()


# --- where they may lead ---


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "fe80::1", "fc00::1", "ff02::1",  # noqa: S104
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "::127.0.0.1",
    ],
)  # fmt: skip
def test_private_addresses_are_refused(address: str) -> None:
    assert not is_allowed(ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_addresses_of_the_internet_are_allowed(address: str) -> None:
    assert is_allowed(ip_address(address))


def test_a_network_of_the_operator_is_allowed(settings: LazySettings) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("10.1.0.0/16")]

    assert is_allowed(ip_address("10.1.2.3"))
    assert is_allowed(ip_address("::ffff:10.1.2.3"))
    assert not is_allowed(ip_address("10.2.2.3"))


def test_a_name_that_leads_inside_is_refused() -> None:
    for host in ("localhost", "127.1", "2130706433", "0x7f.1"):
        with pytest.raises(TargetError):
            find_address(read_target(f"http://{host}/"))


def test_a_private_address_among_public_ones_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(2, 1, 6, "", (ip, 80)) for ip in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)

    with pytest.raises(TargetError, match="private network"):
        find_address(read_target("http://example.org/"))


def test_the_delivery_says_why_it_was_not_sent(
    scene: Scene, webhook: Webhook, settings: LazySettings, receiver: Receiver
) -> None:
    settings.WEBHOOK_NETWORKS = []

    _send()

    assert not receiver.got
    first = Delivery.objects.exclude(problem="").get()
    assert first.problem == "The address is in a private network."


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/", "javascript:alert(1)", "https://", "https://user:pw@example.org/",
        "https://example.org:99999/", "https://exämple.org/", "https://example.org/a b",
        "https://example.org/\r\nX: y", "//example.org/", "example.org",
    ],
)  # fmt: skip
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(TargetError):
        read_target(url)


def test_a_public_site_sends_over_https_only(settings: LazySettings) -> None:
    settings.SECURE = True

    with pytest.raises(TargetError, match="https"):
        read_target("http://example.org/")


def test_a_receiver_that_never_ends_is_left(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends a byte now and then, for ever."""
    settings.WEBHOOK_NETWORKS = [LOCAL]
    monkeypatch.setattr(targets, "LONGEST", 0.5)
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def drip() -> None:
        taken, _ = listener.accept()
        with taken:
            while not ended.wait(0.1):
                try:
                    taken.sendall(b"H")
                except OSError:
                    return

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    began = timezone.now()
    with pytest.raises(TargetError, match="No answer"):
        post(f"http://127.0.0.1:{listener.getsockname()[1]}/", b"{}", {})
    assert timezone.now() - began < timedelta(seconds=5)
    ended.set()
    thread.join()
    listener.close()
