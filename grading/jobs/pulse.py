"""A worker process tells the database that it lives, whether or not it has a job."""

import logging
import os
import signal
import socket
import threading
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from grading.models import ProcessPulse

logger = logging.getLogger(__name__)

SECONDS_BETWEEN_BEATS = 15.0
SWEEPER = "sweeper"


def memory_of_this_process() -> int:
    """What of its memory is in the machine's, in bytes."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def leave_signals_to_main_thread() -> None:
    """Call it first in a thread of a worker process.

    A process that ends tells its pool so with SIGTERM held back in its main thread. Were it
    delivered to another thread, the process would end at once, keep the lock of all answers, and
    no process of the pool would do anything from then on.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


def worker_pulse_start() -> None:
    """Beat from a thread until the process ends. Call it in processes that fork no more."""
    threading.Thread(target=_beat_for_ever, daemon=True, name="pulse").start()


def sweeper_beat() -> None:
    """Note that the sweeper ran, and so that beat is alive."""
    ProcessPulse.objects.beat(ProcessPulse.Kind.SWEEPER, SWEEPER)
    ProcessPulse.objects.forget()


def sweeper_is_late() -> bool:
    """For who watches over workers: has beat stopped? Then mails and grades wait, not only jobs.

    Where the database does not answer, that is not beat's fault.
    """
    patience = timedelta(seconds=max(SECONDS_BETWEEN_BEATS, 2 * settings.JOB_LEASE_SECONDS))
    try:
        pulse = ProcessPulse.objects.filter(name=SWEEPER).first()
    except DatabaseError:
        return False
    return pulse is None or abs(timezone.now() - pulse.seen_at) > patience


def _beat_for_ever() -> None:
    leave_signals_to_main_thread()
    name = f"{socket.gethostname()}/{os.getpid()}"
    pause = threading.Event()
    while True:
        try:
            ProcessPulse.objects.beat(
                ProcessPulse.Kind.WORKER, name, memory=memory_of_this_process()
            )
        except DatabaseError:
            logger.warning("The database does not answer; this worker cannot say that it lives.")
        finally:
            connection.close()
        pause.wait(SECONDS_BETWEEN_BEATS)
