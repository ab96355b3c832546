"""Rows that are shown with other words than they hold, and must then never be saved."""

from copy import copy
from typing import Any, Self

from django.db import models


class DisplayCopyMixin(models.Model):
    """A model of which a copy can be made for display alone."""

    is_display_copy = False

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.is_display_copy:
            raise RuntimeError("A copy for display holds pseudonyms: save the row itself.")
        super().save(*args, **kwargs)

    def display_copy(self, **shown: Any) -> Self:
        """Return a copy that holds these values instead; ``save`` refuses it."""
        shown_row = copy(self)
        for name, value in shown.items():
            setattr(shown_row, name, value)
        shown_row.is_display_copy = True
        return shown_row
