"""The embedded broker heals itself at the start; workers listen to the queues they serve."""

from pathlib import Path
from typing import Any

import pytest
from celery.signals import celeryd_after_setup

from pyreval_site.broker import Channel
from pyreval_site.celery import app, make_message_folders


@pytest.mark.parametrize("content", [None, b"", b'[["quick", "", "quick"]]'])
def test_a_file_that_was_half_made_stops_no_worker(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, control = tmp_path / "waiting", tmp_path / "control"
    options = {"data_folder_in": waiting, "data_folder_out": waiting, "control_folder": control}
    monkeypatch.setitem(app.conf, "broker_transport_options", options)
    control.mkdir()
    exchange = control / "quick.exchange"
    if content is not None:
        exchange.write_bytes(content)

    make_message_folders()

    assert exchange.read_bytes() == (content or b"[]")


def test_a_message_is_whole_as_soon_as_it_can_be_seen(tmp_path: Path) -> None:
    folders = {"data_folder_in": tmp_path, "data_folder_out": tmp_path, "control_folder": tmp_path}
    seen: list[list[str]] = []

    with app.connection_for_write("filesystem://", transport_options=folders) as connection:
        channel: Any = connection.default_channel
        assert type(channel).__module__ == Channel.__module__
        write = Path.write_text

        def look_in_between(path: Path, text: str) -> int:
            path.touch()
            seen.append([file.name for file in tmp_path.glob("*.msg")])
            return write(path, text)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "write_text", look_in_between)
            channel._put("quick", {"body": "job 7"})

        assert seen == [[]]
        assert channel._get("quick") == {"body": "job 7"}


@pytest.mark.parametrize(
    ("given", "woken_by"),
    [(["slow"], {"slow", "quick"}), (["quick"], {"quick"}), (["quick", "slow"], {"slow", "quick"})],
)
def test_a_worker_of_slow_jobs_is_woken_for_quick_ones_too(
    given: list[str], woken_by: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.amqp.queues, "_consume_from", None)
    app.amqp.queues.select(given)

    celeryd_after_setup.send(sender="worker", instance=None, conf=app.conf)

    assert set(app.amqp.queues.consume_from) == woken_by
