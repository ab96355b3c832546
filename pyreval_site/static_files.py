"""Where ``collectstatic`` writes style sheets and scripts."""

import os
from collections.abc import Iterator
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

PUBLIC_UMASK = 0o022


class PublicStaticFiles(CompressedManifestStaticFilesStorage):
    """Writes files that nginx may read, while all else that the program writes is private."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, directory_permissions_mode=0o755, **options)

    def post_process(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Add hashed names and compressed files, whose mode follows from the umask."""
        private_umask = os.umask(PUBLIC_UMASK)
        try:
            yield from super().post_process(*args, **options)
        finally:
            os.umask(private_umask)
