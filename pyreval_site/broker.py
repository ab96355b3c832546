"""The embedded broker: kombu's folder of messages, in which every message appears whole.

kombu makes a message's file empty and then fills it; a worker that looks in between takes it, fails
to read it and ends.
"""

import uuid
from pathlib import Path
from time import monotonic
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: dict[str, Any], **_: Any) -> None:  # type: ignore[override]
        """Written aside, then renamed. The name is kombu's: by time, ending in the queue."""
        name = f"{round(monotonic() * 1000)}_{uuid.uuid4()}.{queue}.msg"
        written = Path(self.data_folder_out, f"{name}.part")
        written.write_text(dumps(payload))  # type: ignore[no-untyped-call]
        written.replace(written.with_suffix(""))


class Transport(filesystem.Transport):
    Channel = Channel
