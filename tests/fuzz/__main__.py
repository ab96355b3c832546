"""One target for so many seconds: ``python -m tests.fuzz pyr 600 CORPUS``. ``make fuzz`` runs all.

Atheris (Apache-2.0) is in an environment of its own: neither the product nor its tests need it. It
changes the bytes of the seeds, keeps in the corpus what reaches new code, and writes the input of a
find beside the corpus, as ``find-…``. Copy that to ``tests/fuzz/finds/<target>/`` for the tests.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["grading", "zipfile", "csv", "json", "penman", "html"]):
    from tests.fuzz.targets import TARGETS


def main() -> None:
    name, seconds, folder = sys.argv[1:]
    target, corpus = TARGETS[name], Path(folder)
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [
        f"-max_total_time={seconds}",
        "-timeout=10",  # seconds for one input
        "-rss_limit_mb=2048",
        "-max_len=8192",
        f"-artifact_prefix={corpus.parent}/find-{name}-",
        "-print_final_stats=1",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], target.ask)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
