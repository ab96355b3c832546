"""AMRs in Penman notation: how graphs are written, and files with graphs made elsewhere."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grading.pyramid.amr import vocabulary as say
from grading.pyramid.amr.graphs import Attribute, Graph, Words, make_graph
from grading.pyramid.errors import InputError
from grading.pyramid.structures import Token

# Which words a graph's nodes are made of, where nobody says it: by their lemmas.

_LONGEST_PREFIX = 4  # letters that make two words akin: "create" and "creation"


def align_by_lemma(graph: Graph, tokens: Sequence[Token]) -> Graph:
    """The graph with each node aligned to the words that look like it.

    A node takes the first free word of its lemma, else one that begins alike; one that has none
    goes with the words of the nodes below it, or above it. Constants go with words equal to them,
    and with their node else.
    """
    free = [token for token in tokens if not token.is_punct]
    words: list[Words] = []
    for concept in graph.concepts:
        token = _like(concept, free)
        words.append(frozenset([token.index]) if token else frozenset())
        if token:
            free.remove(token)
    attribute_words = []
    for attribute in graph.attributes:
        equal = [t for t in tokens if t.text.lower() == attribute.value.lower()]
        attribute_words.append(frozenset(t.index for t in equal[:1]))
    for constant, of in zip(graph.attributes, attribute_words, strict=True):
        words[constant.node] |= of
    for _ in graph.concepts:
        inherited = _inherited(graph, words)
        if inherited == words:
            break
        words = inherited
    return replace(graph, words=tuple(words), attribute_words=tuple(attribute_words))


def _inherited(graph: Graph, words: Sequence[Words]) -> list[Words]:
    """One step: a node without words takes those of the nodes below, else of those above."""
    inherited = list(words)
    for node, of in enumerate(words):
        if of:
            continue
        below = [words[r.target] for r in graph.relations if r.source == node]
        above = [words[r.source] for r in graph.relations if r.target == node]
        inherited[node] = frozenset().union(*below) or frozenset().union(*above)
    return inherited


def _like(concept: str, tokens: Sequence[Token]) -> Token | None:
    frame, _, sense = concept.rpartition("-")
    lemma = frame if sense.isdigit() and frame else concept
    for token in tokens:
        if token.lemma == lemma or say.PRONOUNS.get(token.text.lower()) == lemma:
            return token
    akin = lemma[:_LONGEST_PREFIX]
    if len(akin) < _LONGEST_PREFIX:
        return None
    return next((token for token in tokens if token.text.lower().startswith(akin)), None)


# AMRs in Penman notation: how graphs are written, and files with graphs made elsewhere.
#
# The only door to ``penman`` (Goodman 2020, “Penman: an open-source library and tool for AMR
# graphs”). A file has blocks separated by blank lines: lines of metadata, then one graph. ``#
# ::snt`` is the sentence; ``# ::tok`` its words separated by spaces, where they are not those of
# ``::snt``; ``# ::alignments`` which words which nodes are made of, as ISI has it (``0-1.1``: word
# and node), as JAMR has it (``0-1|0.0``: words from, to, and nodes), or in the graph itself
# (``~e.0``).

_INDENT = 4
_METADATA = re.compile(r"#\s*::(\S+)[ \t]*(.*)")
_ISI = re.compile(r"(\d+)-(\d+(?:\.\d+)*)(\.r)?")
_JAMR = re.compile(r"(\d+)-(\d+)\|(\d+(?:\.\d+)*(?:\+\d+(?:\.\d+)*)*)")
_NAME_PART = re.compile(r"op\d+")
_UNSAFE = re.compile(r"[\s\"()/:~#]")  # what a concept cannot have in Penman notation
_BARE = re.compile(r"[\w.+-]+")
_NUMBERED = re.compile(r"arg\d+")

_Broken = Callable[[str, int], InputError]
_Tree = tuple[str, list[tuple[str, Any]]]  # penman's: a variable, and its branches


@dataclass(frozen=True, slots=True)
class StoredAmr:
    """A graph of a file, with its sentence and the line where the graph begins.

    ``words`` are the sentence's words as the file counts them; ``is_aligned``: it says which nodes
    are made of which.
    """

    sentence: str
    words: tuple[str, ...]
    graph: Graph
    is_aligned: bool
    line: int


def write_penman(graph: Graph) -> str:
    """The graph in Penman notation, with a variable for each node; it must be connected."""
    import penman  # noqa: PLC0415 - web processes stay small
    from penman import layout, transform  # noqa: PLC0415 - the same
    from penman.models.amr import model  # noqa: PLC0415 - the same

    names = _variables(graph)
    triples = [
        (name, ":instance", _symbol(c)) for name, c in zip(names, graph.concepts, strict=True)
    ]
    attributes = [
        (names[attribute.node], _role(attribute.role), _constant(attribute))
        for attribute in graph.attributes
    ]
    relations = [
        (names[relation.source], _role(relation.role), names[relation.target])
        for relation in graph.relations
    ]
    encoded = penman.Graph([*triples, *attributes, *relations], top=names[graph.top or 0])
    tree = layout.configure(encoded, model=model)
    tree = transform.canonicalize_roles(tree, model)
    return str(penman.format(tree, indent=_INDENT))


def read_penman(name: str, content: str) -> list[StoredAmr]:
    """The graphs of a file; an InputError names the line of one that is broken."""
    return [_stored(name, start, lines) for start, lines in _blocks(content)]


def aligned_to(amr: StoredAmr, content: str, tokens: Sequence[Token]) -> Graph:
    """The graph with the numbers of these tokens instead of the file's own words.

    The file's words are found in the tokens letter by letter, whatever blanks part either; where
    the file has no alignments, nodes are aligned by their lemmas.
    """
    if not amr.is_aligned:
        return align_by_lemma(amr.graph, tokens)
    letters = [t.index for t in tokens for c in content[t.start : t.end] if not c.isspace()]
    places, at = [], 0
    for word in amr.words:
        places.append(frozenset(letters[at : at + len(word)]))
        at += len(word)

    def moved(words: Words) -> Words:
        inside = (places[word] for word in words if word < len(places))
        return frozenset(token for place in inside for token in place)

    graph = amr.graph
    return Graph(
        graph.concepts,
        graph.relations,
        graph.attributes,
        graph.top,
        tuple(map(moved, graph.words)),
        tuple(map(moved, graph.attribute_words)),
    )


def _blocks(content: str) -> Iterator[tuple[int, list[str]]]:
    """The lines between blank lines that have a graph, with the number of the first."""
    lines: list[str] = []
    start = 1
    for number, line in enumerate([*content.splitlines(), ""], 1):
        if line.strip():
            start = start if lines else number
            lines.append(line)
            continue
        if any(not written.lstrip().startswith("#") for written in lines):
            yield start, lines
        lines = []


def _stored(name: str, start: int, lines: Sequence[str]) -> StoredAmr:
    metadata = {
        entry.group(1): entry.group(2).strip()
        for line in lines
        if (entry := _METADATA.match(line.strip()))
    }
    first = next(n for n, line in enumerate(lines) if not line.lstrip().startswith("#"))
    line = start + first
    if "snt" not in metadata:
        raise InputError(f"“{name}”, line {line}: the graph has no sentence. Add a line # ::snt.")
    graph, is_aligned = _graph(name, line, lines[first:], metadata)
    words = metadata.get("tok", metadata["snt"]).split()
    return StoredAmr(metadata["snt"], tuple(words), graph, is_aligned, line)


def _graph(
    name: str, line: int, lines: Sequence[str], metadata: Mapping[str, str]
) -> tuple[Graph, bool]:
    import penman  # noqa: PLC0415 - as above
    from penman import surface  # noqa: PLC0415 - as above

    def broken(reason: str, after: int) -> InputError:
        return InputError(f"“{name}”, line {line + after}: this graph is broken: {reason}.")

    _check_brackets(lines, broken)
    try:
        tree = penman.parse("\n".join(lines))
        decoded = penman.interpret(tree)
        if decoded.top is None:
            raise broken("it has no nodes", 0)
    except penman.PenmanError as error:
        at = getattr(error, "lineno", None) or 1
        reason = getattr(error, "message", None) or str(error)
        raise broken(reason.rstrip(".").lower(), at - 1) from error
    numbers = _numbers(decoded.instances(), lines, broken)
    aligned: dict[int, set[int]] = {}
    for triple, marker in surface.alignments(decoded).items():
        if triple[1] == ":instance":
            aligned.setdefault(numbers[triple[0]], set()).update(marker.indices)
    for variable, words in _given_alignments(metadata.get("alignments", ""), tree.node).items():
        aligned.setdefault(numbers[variable], set()).update(words)
    edges = [(numbers[s], r, numbers[t]) for s, r, t in decoded.edges() if t in numbers]
    attributes = [
        (numbers[s], r, str(value), frozenset[int]()) for s, r, value in decoded.attributes()
    ]
    graph = make_graph(
        [str(concept) for _, _, concept in decoded.instances()],
        edges,
        attributes,
        top=numbers[decoded.top],
        words=[frozenset(aligned.get(node, ())) for node in range(len(numbers))],
    )
    return graph, bool(aligned)


def _numbers(
    instances: Iterable[tuple[str, str, str]], lines: Sequence[str], broken: _Broken
) -> dict[str, int]:
    """The nodes by their variables, in the order of the file."""
    numbers: dict[str, int] = {}
    for variable, _, concept in instances:
        if not variable:
            raise broken("a node has no name", 0)
        places = [
            n for n, text in enumerate(lines) if re.search(rf"\(\s*{re.escape(variable)}\b", text)
        ] or [0]
        if variable in numbers:
            raise broken(f"the variable {variable} has two concepts", places[-1])
        if not concept:
            raise broken(f"the variable {variable} has no concept", places[0])
        numbers[variable] = len(numbers)
    return numbers


def _check_brackets(lines: Sequence[str], broken: _Broken) -> None:
    """Every bracket closes, and nothing follows the last one: penman would not look at it."""
    depth, is_over = 0, False
    for number, line in enumerate(lines):
        for character in re.sub(r'"[^"]*"|#.*', "", line):
            if is_over and not character.isspace():
                reason = "a second graph begins" if character == "(" else "there is more"
                raise broken(f"{reason} after its end", number)
            depth += (character == "(") - (character == ")")
            is_over = is_over or (depth == 0 and character == ")")
    if not is_over:
        raise broken("a bracket is not closed", len(lines) - 1)


def _given_alignments(given: str, root: _Tree) -> dict[str, set[int]]:
    """The words of each variable, by a line of alignments; what fits no node is passed over."""
    addresses = dict(_addresses(root, ()))
    aligned: dict[str, set[int]] = {}
    for word in given.split():
        if isi := _ISI.fullmatch(word):
            nodes, words = [isi.group(2)], range(int(isi.group(1)), int(isi.group(1)) + 1)
            counts_from = 1
        elif isi := _JAMR.fullmatch(word):
            nodes, words = (
                isi.group(3).split("+"),
                range(int(isi.group(1)), int(isi.group(2))),
            )
            counts_from = 0
        else:
            continue
        for node in nodes:
            path = tuple(int(step) - counts_from for step in node.split("."))
            variable = addresses.get(path[1:]) if not path[0] and isi.group(0)[-1:] != "r" else None
            if variable is not None:
                aligned.setdefault(variable, set()).update(words)
    return aligned


def _addresses(node: _Tree, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], str]]:
    """Where each variable is introduced: the numbers of the branches that lead there, from 0.

    All branches count, those to constants and to variables that were introduced before too.
    """
    variable, branches = node
    yield path, variable
    number = -1
    for role, target in branches:
        if role == "/":
            continue
        number += 1
        if isinstance(target, tuple):
            yield from _addresses(target, (*path, number))


def _variables(graph: Graph) -> list[str]:
    """A letter of the concept, numbered from the second of the letter on."""
    counts: dict[str, int] = {}
    names = []
    for concept in graph.concepts:
        letter = concept[:1] if concept[:1].isascii() and concept[:1].isalpha() else "x"
        counts[letter] = counts.get(letter, 0) + 1
        names.append(letter if counts[letter] == 1 else f"{letter}{counts[letter]}")
    return names


def _role(role: str) -> str:
    """As files spell it."""
    return ":" + _NUMBERED.sub(lambda numbered: numbered.group().replace("arg", "ARG"), role)


def _symbol(concept: str) -> str:
    return _UNSAFE.sub("_", concept) or "thing"


def _constant(attribute: Attribute) -> str:
    """A number or sign as it is, anything else in quotation marks, as parts of a name are."""
    value = attribute.value
    is_name = _NAME_PART.fullmatch(attribute.role) and not value.replace(".", "").isdigit()
    if _BARE.fullmatch(value) and not is_name:
        return value
    return '"' + value.replace('"', "'").replace("\\", "/") + '"'
