"""``manage.py train_edus``: documents with marked EDUs to the segmenter of the EDU methods."""

from pathlib import Path

from grading.management.making import MakingCommand
from grading.pyramid.edus.segmenter import Segmenter, write_segmenter
from grading.pyramid.edus.training import (
    MarkedText,
    boundaries,
    marked_sentences,
    read_documents,
    together,
    train,
)
from grading.pyramid.edus.units import SegmentedUnits
from grading.pyramid.encoders.middle_layer import packaged_middle_layer
from grading.pyramid.parsing import ParsedText, SpacyParser


class Command(MakingCommand):
    help = "Train the segmenter of elementary discourse units, and measure it on dev.jsonl."
    source = "data"
    source_help = "a directory with train.jsonl and dev.jsonl, such as ../shared/data/gum_edu"
    out_help = "the segmenter, a .npz file"

    def make(self, source: Path, out: Path) -> None:
        documents = read_documents(source / "train.jsonl")
        development = read_documents(source / "dev.jsonl")
        parser = SpacyParser()
        sentences = marked_sentences(documents, parser)
        self.say(f"{len(documents)} documents, {len(sentences):,} sentences in two forms")
        segmenter = train(sentences, packaged_middle_layer(), progress=self.say)
        write_segmenter(segmenter, out)
        self.say(f"{out}: {out.stat().st_size:,} bytes")
        tokenised = [document.tokenised for document in development]
        running = [document.running for document in development]
        given = parser.parse_tokenised([document.text for document in tokenised])
        own = parser.parse([document.text for document in running])
        self.say(f"F1 on dev.jsonl, given sentences: {_f1(segmenter, tokenised, given):.3f}")
        self.say(f"F1 on dev.jsonl, own sentences: {_f1(segmenter, running, own):.3f}")


def _f1(segmenter: Segmenter, marked: list[MarkedText], parsed: list[ParsedText]) -> float:
    cutter = SegmentedUnits(segmenter)
    return together(
        boundaries(text, (spans[0].start for spans in cutter.spans_of(read)))
        for text, read in zip(marked, parsed, strict=True)
    ).f1
