"""What monitoring gets from the processes that `make run` starts, and who can read their files."""

import json
import re
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.sites import Site, serving
from tests.workers import wait_until

pytestmark = [pytest.mark.models, pytest.mark.workers]


def _get(site: Site, path: str) -> str:
    with urlopen(f"{site.url}{path}", timeout=20) as answer:  # noqa: S310
        return str(answer.read().decode())


def _is_ready(site: Site) -> bool:
    with suppress(HTTPError):
        return bool(json.loads(_get(site, "/readyz"))["ready"])
    return False


def test_a_served_site_is_ready_counts_together_and_keeps_its_files_to_itself(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as site:
        wait_until(lambda: _is_ready(site), "worker, sweeper, broker and database are there")
        for _ in range(20):  # two processes answer
            _get(site, "/accounts/login/")

        figures = _get(site, "/metrics")

        name = r'^pyreval_requests_total{.*view="[a-z_]*login"} (\S+)$'
        counted = re.search(name, figures, re.MULTILINE)
        assert counted is not None
        assert float(counted[1]) == 20
        assert len(re.findall(r"^pyreval_web_memory_bytes{", figures, re.MULTILINE)) <= 2
        assert re.search(r"^pyreval_worker_memory_bytes{process=.*} \d", figures, re.MULTILINE)
        readable = [
            path.relative_to(tmp_path)
            for path in [tmp_path, *tmp_path.rglob("*")]
            if "static" not in path.parts  # style sheets, which everybody gets
            and path.exists()
            and path.stat().st_mode & 0o077
        ]
        assert readable == []
