"""Readings of references and labels: kept in the database, so that each is read by one worker."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet

from grading.models import Assignment, PyramidReading
from grading.pyramid import pipeline
from grading.pyramid.errors import InputError
from grading.pyramid.pipeline import Engine, KeptReading, Scorer
from grading.pyramid.structures import Pyramid, SegmentedText, Text

logger = logging.getLogger(__name__)

MOST_OTHERS = 64  # readings of an assignment that are of no use for the pyramid at hand, the newest


@contextmanager
def kept_scorer(
    *, assignment_pk: int, pyramid: Pyramid, engine: Engine, explained: bool = True
) -> Iterator[Scorer]:
    """What scores texts of an assignment with one of its pyramids; see ``prepare_scorer``.

    References and labels that any worker has read are not read again; at the end, those that were
    read now are kept.
    """
    reader = _PyramidReader(assignment_pk, pyramid, engine)
    yield pipeline.prepare_scorer(pyramid, engine, reader.read, explained=explained)
    reader.keep()


class _PyramidReader:
    """Reads the references and labels of a pyramid when the method asks for them."""

    def __init__(self, assignment_pk: int, pyramid: Pyramid, engine: Engine) -> None:
        self._assignment_pk = assignment_pk
        self._pyramid = pyramid
        self._engine = engine
        self._is_fetched = False
        self._had_to_fetch = False

    @cached_property
    def _texts(self) -> dict[str, Text]:
        """All that the method may ask for, by digest."""
        return {_digest(text): text for text in pipeline.texts_of_pyramid(self._pyramid)}

    def read(self, texts: Sequence[Text]) -> list[SegmentedText]:
        if not self._is_fetched:
            self._fetch()
            self._is_fetched = True
        return pipeline.read_references(texts, self._engine)

    def _fetch(self) -> None:
        """Take what is kept of all texts that this process has not read."""
        known = pipeline.known_references([*self._texts.values()], self._engine)
        missing = {digest for digest, text in self._texts.items() if text not in known}
        self._had_to_fetch = bool(missing)
        for row in self._rows().filter(digest__in=missing) if missing else ():
            text, kept = self._texts[row.digest], KeptReading(row.segments, bytes(row.vectors))
            try:
                read = pipeline.take_reading(text, kept, self._engine)
                pipeline.take_text_facts(read, bytes(row.facts), self._engine)
            except InputError:
                logger.warning("The reading of “%s” is damaged; it is read again.", text.name)
                row.delete()
            else:
                pipeline.remember_references([read], self._engine)

    def keep(self) -> None:
        """Keep readings that are not kept yet, and those with new facts or vectors.

        Nothing where this process had read all texts before, or the method asked for none. A label
        that nothing was judged by yet is read for it: its vectors were needed, too.
        """
        if not self._is_fetched:
            return
        known = pipeline.known_references([*self._texts.values()], self._engine)
        unkept = {_digest(text) for text, read in known.items() if self._has_news_of(read)}
        if self._had_to_fetch:
            unkept |= self._texts.keys() - set(self._rows().values_list("digest", flat=True))
        if unkept:
            digests = sorted(unkept)
            texts = [self._texts[digest] for digest in digests]
            read = pipeline.read_references(texts, self._engine)
            self._save(dict(zip(digests, read, strict=True)))

    def _has_news_of(self, text: SegmentedText) -> bool:
        memory = self._engine.similarity.memory
        has_vectors = memory is not None and memory.has_news_of(text.text.content)
        return has_vectors or pipeline.has_new_facts(text, self._engine)

    @transaction.atomic
    def _save(self, texts: Mapping[str, SegmentedText]) -> None:
        """Nothing for an assignment that was deleted since."""
        if not Assignment.objects.select_for_update().filter(pk=self._assignment_pk).exists():
            return
        readings = {
            digest: pipeline.keep_reading(text, self._engine) for digest, text in texts.items()
        }
        PyramidReading.objects.bulk_create(
            [
                PyramidReading(
                    assignment_id=self._assignment_pk,
                    maker=self._engine.judge,
                    digest=digest,
                    segments=kept.segments,
                    vectors=kept.vectors,
                    facts=pipeline.keep_text_facts(texts[digest], self._engine),
                )
                for digest, kept in readings.items()
            ],
            update_conflicts=True,
            unique_fields=["assignment", "maker", "digest"],
            update_fields=["segments", "vectors", "facts"],
        )
        of_assignment = PyramidReading.objects.filter(assignment=self._assignment_pk)
        of_assignment.exclude(maker=self._engine.judge).delete()
        others = self._rows().exclude(digest__in=self._texts).order_by("-pk").values("pk")
        of_assignment.filter(pk__in=[row["pk"] for row in others[MOST_OTHERS:]]).delete()

    def _rows(self) -> QuerySet[PyramidReading]:
        return PyramidReading.objects.filter(
            assignment=self._assignment_pk, maker=self._engine.judge
        )


def _digest(text: Text) -> str:
    return sha256(text.content.encode(errors="surrogatepass")).hexdigest()
