"""Static files are for everybody, although what the program writes is private."""

import os
from pathlib import Path

from django.core.management import call_command
from django.test import override_settings

FINDER = "django.contrib.staticfiles.finders.FileSystemFinder"
STORAGES = {"staticfiles": {"BACKEND": "pyreval_site.static_files.PublicStaticFiles"}}


def test_a_proxy_can_read_what_is_collected(tmp_path: Path) -> None:
    ours, collected = tmp_path / "ours", tmp_path / "www" / "static"
    (ours / "css").mkdir(parents=True)
    (ours / "css" / "plain.css").write_text("main { color: black; }\n" * 50)

    with override_settings(
        STORAGES=STORAGES,
        STATIC_ROOT=collected,
        STATICFILES_DIRS=[ours],
        STATICFILES_FINDERS=[FINDER],
    ):
        call_command("collectstatic", "--noinput", verbosity=0)

    private_umask = os.umask(0o077)
    os.umask(private_umask)
    assert private_umask == 0o077
    files = [path for path in collected.rglob("*") if path.is_file()]
    assert len(files) == 5  # as it is and with a hash, each packed too; and their list
    assert [path for path in files if path.stat().st_mode & 0o777 != 0o644] == []
    folders = [collected, *(path for path in collected.rglob("*") if path.is_dir())]
    assert [path for path in folders if path.stat().st_mode & 0o777 != 0o755] == []
