"""Signs of life of workers and of the sweeper: what monitoring asks, whatever the broker is."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

ALIVE_WITHIN = timedelta(minutes=1)
FORGOTTEN_AFTER = timedelta(hours=1)


class ProcessPulseQuerySet(models.QuerySet["ProcessPulse"]):
    def beat(self, kind: "ProcessPulse.Kind", name: str, memory: int = 0) -> None:
        """This process is alive, with so much memory in bytes."""
        now = timezone.now()
        self.update_or_create(
            name=name,
            defaults={"kind": kind, "seen_at": now, "memory": memory},
            create_defaults={"kind": kind, "seen_at": now, "memory": memory, "started_at": now},
        )

    def alive(self) -> "ProcessPulseQuerySet":
        """Seen lately. A time to come was written before the clock was set back."""
        now = timezone.now()
        return self.filter(seen_at__range=(now - ALIVE_WITHIN, now + ALIVE_WITHIN))

    def forget(self) -> int:
        """Delete those that have been silent for long: they ended, or their machine did."""
        now = timezone.now()
        known = now - FORGOTTEN_AFTER, now + FORGOTTEN_AFTER
        return self.exclude(seen_at__range=known).delete()[0]


class ProcessPulse(models.Model):
    class Kind(models.TextChoices):
        WORKER = "worker", "Worker process"
        SWEEPER = "sweeper", "Sweeper"

    name = models.CharField(max_length=300, unique=True)  # host and process id
    kind = models.CharField(max_length=8, choices=Kind.choices)
    memory = models.PositiveBigIntegerField(default=0)
    started_at = models.DateTimeField(editable=False)
    seen_at = models.DateTimeField(editable=False)

    objects = ProcessPulseQuerySet.as_manager()

    class Meta:
        ordering = ["kind", "name"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.name}"
