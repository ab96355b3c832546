"""Graphs in files: what is read, what is refused, and how words and nodes find each other."""

import pytest

from grading.pyramid.amr.graphs import Graph, cut_out, make_graph
from grading.pyramid.amr.penman_files import aligned_to, read_penman, write_penman
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Token

GRAPH = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :polarity - :ARG0 b))"
SENTENCE = "The boy doesn't want to go."
TOKENISED = "The boy does n't want to go ."


def tokens(words: str, content: str) -> list[Token]:
    """The words as tokens of a content that may part them otherwise; lemmas are the words."""
    result, at = [], 0
    for index, word in enumerate(words.split()):
        at = content.index(word, at)
        is_mark = not any(character.isalnum() for character in word)
        result.append(
            Token(index, at, at + len(word), word, word, "X", "X", "dep", 0, is_punct=is_mark)
        )
        at += len(word)
    return result


def words_of(graph: Graph) -> dict[str, set[int]]:
    return {c: set(words) for c, words in zip(graph.concepts, graph.words, strict=True)}


@pytest.mark.parametrize(
    "file",
    [
        f"# ::snt {TOKENISED}\n# ::alignments 1-1.1 4-1 6-1.2 3-1.2.1\n{GRAPH}",
        f"# ::snt {SENTENCE}\n# ::tok {TOKENISED}\n# ::alignments 1-1.1 4-1 6-1.2 4-1.r\n{GRAPH}",
        f"# ::id 1\n# ::snt {TOKENISED}\n# ::alignments 1-2|0.0 4-5|0 6-7|0.1 ::x y\n{GRAPH}",
        f"# ::snt {TOKENISED}\n(w / want-01~e.4 :ARG0 (b / boy~1) :ARG1 (g / go-02~e.6))",
    ],
)
def test_alignments_are_read_in_all_their_forms(file: str) -> None:
    [amr] = read_penman("graphs.txt", file)
    assert amr.is_aligned
    assert words_of(amr.graph) == {"want-01": {4}, "boy": {1}, "go-02": {6}}
    assert amr.words == tuple(TOKENISED.split())
    parsed = tokens("The boy doesn't want to go .", SENTENCE)
    moved = aligned_to(amr, SENTENCE, parsed)
    assert words_of(moved) == {"want-01": {3}, "boy": {1}, "go-02": {5}}


def test_without_alignments_nodes_go_with_words_like_them() -> None:
    [amr] = read_penman("graphs.txt", f"# ::snt {SENTENCE}\n{GRAPH}")
    assert not amr.is_aligned
    moved = aligned_to(amr, SENTENCE, tokens("The boy doesn't want to go .", SENTENCE))
    assert words_of(moved) == {"want-01": {3}, "boy": {1}, "go-02": {5}}
    name = '(p / person :name (n / name :op1 "Ann") :ARG0-of (c / create-01))'
    [amr] = read_penman("graphs.txt", f"# ::snt Ann 's creation\n{name}")
    moved = aligned_to(amr, "Ann 's creation", tokens("Ann 's creation", "Ann 's creation"))
    assert words_of(moved) == {"person": {0}, "name": {0}, "create-01": {2}}


@pytest.mark.parametrize(
    ("graph", "line", "reason"),
    [
        ("(w / want-01 :ARG0 (b / boy)", 4, "a bracket is not closed"),
        ("(w / want-01\n  :ARG0 (w / boy))", 5, "the variable w has two concepts"),
        ("(w / want-01\n  :ARG0 (b /))", 5, "the variable b has no concept"),
        ("(w / want-01)\n)", 5, "there is more after its end"),
        ("(w / want-01)\n(b / boy)", 5, "a second graph begins after its end"),
        ("(w / want-01\n  ARG0 (b / boy))", 5, "expected: role"),
        ("want-01", 4, "a bracket is not closed"),
        ("()", 4, "it has no nodes"),
        ("(w / want-01)\n# ::snt Again.\n(b / boy)", 6, "a second graph begins after its end"),
    ],
)
def test_a_broken_graph_names_its_line(graph: str, line: int, reason: str) -> None:
    file = f"# ::id 1\n\n# ::snt A sentence.\n{graph}\n\n# ::snt Another.\n(b / boy)\n"
    with pytest.raises(InputError, match=rf"graphs.txt”, line {line}: .*{reason}"):
        read_penman("graphs.txt", file)


def test_a_graph_needs_a_sentence() -> None:
    with pytest.raises(InputError, match=r"graphs.txt”, line 3: .*no sentence. Add a line # ::snt"):
        read_penman("graphs.txt", "\n# ::id 1\n(b / boy)")


def test_a_file_may_have_anything_between_graphs() -> None:
    file = f"# AMRs\n\n\n# ::snt One.\n{GRAPH}\n\n# a note\n\n# ::snt Two.\n# more\n(b / boy)"
    assert [(amr.sentence, amr.line) for amr in read_penman("graphs.txt", file)] == [
        ("One.", 5),
        ("Two.", 11),
    ]
    assert read_penman("graphs.txt", "") == []


def test_a_graph_is_written_as_files_have_it() -> None:
    graph = make_graph(
        ["see-01", "person", "name", "old", "o'clock"],
        [(0, ":ARG1", 1), (1, ":name", 2), (1, ":mod", 3), (0, ":time", 4)],
        [(2, ":op1", '"Ann"', frozenset()), (4, ":quant", "3", frozenset())],
        top=0,
    )
    assert write_penman(graph) == (
        "(s / see-01\n"
        "    :ARG1 (p / person\n"
        "        :name (n / name\n"
        '            :op1 "Ann")\n'
        "        :mod (o / old))\n"
        "    :time (o2 / o'clock\n"
        "        :quant 3))"
    )


def test_a_mention_is_cut_out_of_its_sentence() -> None:
    graph = make_graph(
        ["want-01", "boy", "go-02", "thing"],
        [(0, ":ARG0", 1), (0, ":ARG1", 2), (2, ":ARG0", 1), (2, ":ARG1", 3)],
        [(2, ":polarity", "-", frozenset([3]))],
        top=0,
        words=[frozenset(words) for words in ({4}, {1}, {6}, set())],
    )
    part = cut_out(graph, frozenset([1, 2, 6]))
    assert part.concepts == ("boy", "go-02")
    assert [(relation.source, relation.role, relation.target) for relation in part.relations] == [
        (1, "arg0", 0)
    ]
    assert (part.attributes, part.top) == ((), None)  # "not" lies outside
    assert cut_out(graph, frozenset([3, 6])).attributes[0].value == "-"
    assert cut_out(graph, frozenset()).size == 0
