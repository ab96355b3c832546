"""The embedded broker heals itself at the start."""

from pathlib import Path

import pytest

from pyreval_site.celery import app, make_message_folders


@pytest.mark.parametrize("found", [None, b"", b'[["pyreval", "", "pyreval"]]'])
def test_a_file_that_was_half_made_stops_no_worker(
    found: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, control = tmp_path / "waiting", tmp_path / "control"
    options = {"data_folder_in": waiting, "data_folder_out": waiting, "control_folder": control}
    monkeypatch.setitem(app.conf, "broker_transport_options", options)
    control.mkdir()
    exchange = control / "pyreval.exchange"
    if found is not None:
        exchange.write_bytes(found)

    make_message_folders()

    assert exchange.read_bytes() == (found or b"[]")
