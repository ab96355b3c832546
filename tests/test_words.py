"""The words that the product doesn't use, in pages, messages and docs, and what it says instead.

One word for one thing, as people who use Gradescope, Canvas or Moodle say it. Names in the code are
held by docs/glossary.md and tests/test_docs.py.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests import readability

ROOT = Path(__file__).resolve().parent.parent

RULED_OUT = {
    r"hand(s|ed|ing)? (it |them )?in\b": "submit",
    r"look(s|ed|ing)? (it |them )?through\b": "review",
    r"doubtful first": "needs review first",
    r"experts['\u2019] words(?! for)": "expert summaries",
    r"no idea of the experts": "not matched",
    r"\bsaid again\b": "repeated",
    r"\b(quite|rather) sure\b": "certain, likely",
    r"\bby hand\b": "manually",
    r"\bleave these words out\b": "exclude from scoring",
    r"\breckon": "calculate",
    r"\bwork(ed|ing)? out\b": "calculate",
    r"\bcame about\b": "was calculated",
    r"\bwith(hold|held)": "hold back",
    r"\bput aside\b": "deleted, can be restored until",
    r"\b(bring|brings|brought) (\w+ )?back\b": "restore",
    r"\bparted by\b": "separated by",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bas it is now\b": "current",
    r"\bnobody waits\b": "nothing to answer",
    r"\bfrom (now|then|here) on\b": "now, then, below",
    r"\b(do exactly this|send and look|at once anew)\b": "a verb that names the result",
    r"\byou are here as\b": "You're viewing this course as",
    r"\bscored? anew\b": "scored again",
    r"\bstands? (in|at|on|beside|above|apart|for)\b": "is, appears, means",
    r"\b(told by|tells? (the|an|this|that|each) idea)": "expressed by, matched in",
    r"\btaken? in\b": "import",
    r"\bthe one who\b": "the person who",
    r"(?<!-)\banew\b": "again",
    r"\bwho says so\b": "experts who say it",
    r"\bby themselves\b|\bby itself\b(?! alone)": "leave it out",
    r"\b(is|are) so long\b": "is that long",
    r"\bin the meantime\b": "since",
    r"\bat least [^.]{1,20} (are|were) asked for\b": "are required",
    r"\bread(s|ing)? over\b": "ignore",
    r"\bsomebody who (has )?left\b": "a former member",
    r"\bis no longer the (one|case)\b": "isn't any more",
    r"\bwho has no\b": "students without",
    r"\bbe had again\b": "can be downloaded again",
    r"\bof (one's|ones) own\b": "your own",
    r"\bsays nothing of\b": "doesn't name",
    r"\bas (it|they) stands?\b": "leave it out",
    r"\b(bring|brings|bringing|brought) (\w+ )?in\b": "import",
    r"\btak(e|es|ing) (it |them |work )?in\b": "import",
    r"\b(ideas?|units?) (that )?((is|are|was|were) )?(told|said)\b": "matched, expressed",
    r"\btells? (the|an|a|this|that|each|one|several|two|no) (ideas?|units?)\b": "expresses",
    r"\b(idle|bare) (statements?|parts?|words?|sentences?)\b": "not matched",
    r"\bparts? (with no|without an?) idea": "a statement that isn't matched",
    r"\bwavy\b": "repeated",
    r"\bnot sure\b": "unsure",
    r"\btak(e|es|en|ing) (the|this|a|each) suggestions?\b": "accept",
    r"\b(words|statements|sentences|parts) (that )?((is|are|was|were) )?left out\b": "excluded",
    r"\bc[ao]mes? about\b": "is calculated",
    r"\bhand grades?\b": "manual grade",
    r"\bmarking desk\b": "review desk",
    r"\b(regrade requests?|appeals?)\b": "second look",
    r"\btimes are shown in it\b": "All times are in …",
    r"\bin the place of\b": "instead of",
    r"\b(if|when|that|as|where|what|than) one (is|has|can|may|must|wants|likes|does)\b": "you",
    r"\bone['\u2019]s\b": "your",
    r"\bfrom (\.?\d[\d.,%]*|half|two|three|four|five)( \w+| %)? on\b(?! (\d|the|an?)\b)": "or more",
    r"(^|(?<=[.!?] ))Who (is|has|was|does|can|may|wants)\b[^.?!:]*\.(?=\s|$)": "people who",
}

# Words that the pages leave to researchers, or that are no words of theirs. Code has them as names.
RULED_OUT_ON_PAGES = {
    r"\b(SCUs?|(content )?units?)\b": "idea",
    r"\bdoubtful\b": "unsure, needs review",
    r"\b(idle|bare)\b": "not matched",
    r"\bplagiari\w+": "copied",
}

LONGEST_SENTENCE = 20  # words, on pages, in messages and in docs
HARDEST_GRADE = 8.0  # of pages and of docs
MOST_HELP = 1_260  # words on pages; 2,521 at commit 103ef67 (docs/usability.md)


def words_of_templates() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        text = re.sub(
            r"{#.*?#}|{% comment %}.*?{% endcomment %}", "", path.read_text(), flags=re.DOTALL
        )
        text = re.sub(r"{%.*?%}|{{.*?}}|<!--.*?-->", " ", text, flags=re.DOTALL)
        yield str(path.relative_to(ROOT)), " ".join(text.split())


def visible_words_of_templates() -> Iterator[tuple[str, str]]:
    """Without tags; with what they say aloud or on pointing."""
    for place, words in words_of_templates():
        said = re.findall(r'\b(?:title|alt|placeholder|aria-label)="([^"]*)"', words)
        text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", words)
        yield place, " ".join([text, *said])


def words_of_messages() -> Iterator[tuple[str, str]]:
    """Strings of two words or more in Python, but for docstrings and what only commands print."""
    for path in sorted((ROOT / "grading").rglob("*.py")):
        if path.is_relative_to(ROOT / "grading" / "migrations"):
            continue
        tree = ast.parse(path.read_text())
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str(words)) if " " in words and id(node) not in docstrings:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", words


def words_of_docs() -> Iterator[tuple[str, str]]:
    """Paragraphs, items and rows, but for code, and for the words that the glossary rules out."""
    for path in readability.document_paths():
        text = re.sub(r"```.*?```|`[^`]*`", "", path.read_text(), flags=re.DOTALL)
        if path.name == "glossary.md":
            text = re.sub(r"\|[^|\n]*\|$", "|", text, flags=re.MULTILINE)
        for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-#>|]|\d+\.) )", text):
            yield str(path.relative_to(ROOT)), " ".join(block.split())


def ruled_out(
    places: Iterator[tuple[str, str]], patterns: Mapping[str, str] = RULED_OUT
) -> list[str]:
    return [
        f"{place}: “{match.group()}”; say: {instead}"
        for place, words in places
        for pattern, instead in patterns.items()
        for match in re.finditer(pattern, words, re.IGNORECASE)
    ]


def test_templates_speak_the_words_of_the_product() -> None:
    assert not ruled_out(words_of_templates())


def test_pages_leave_the_words_of_researchers_to_them() -> None:
    assert not ruled_out(visible_words_of_templates(), RULED_OUT_ON_PAGES)


def test_messages_speak_the_words_of_the_product() -> None:
    assert not ruled_out(words_of_messages())


def test_docs_speak_the_words_of_the_product() -> None:
    assert not ruled_out(words_of_docs())


def test_no_sentence_of_a_page_is_too_long() -> None:
    assert not [
        f"{place}: {sentence}"
        for place, sentences in readability.templates()
        for sentence in sentences
        if readability.length(sentence) > LONGEST_SENTENCE
    ]


def test_no_sentence_of_a_message_is_too_long() -> None:
    assert not [
        f"{place}: {sentence}"
        for place, sentences in readability.messages()
        for sentence in sentences
        if readability.length(sentence) > LONGEST_SENTENCE
    ]


def test_no_sentence_of_a_document_is_too_long() -> None:
    assert not [
        f"{place}: {sentence}"
        for place, sentences in readability.documents()
        for sentence in sentences
        if readability.length(sentence) > LONGEST_SENTENCE
    ]


def test_a_grade_of_school_is_enough_to_read_each_document() -> None:
    graded = {
        document: readability.grade(sentences)
        for document, sentences in readability.by_document().items()
    }
    assert max(graded.values()) <= HARDEST_GRADE, sorted(graded.items(), key=lambda row: -row[1])


def test_a_document_is_measured_without_its_markup() -> None:
    source = """# A heading of five words

The *first* [sentence](https://example.org/a/b/c) has `one_name` in **bold type.** The second
has an address, https://example.org/a/b/c, too.

    indented = code and nothing that anybody reads

- An item of the list
- Another item of it

| a row of the table | is no sentence |

```sh
a block of code
```
"""

    assert list(readability.of_document(source)) == [
        (3, "The first sentence has 1 in bold type."),
        (3, "The second has an address, 1 too."),
        (8, "- An item of the list"),
        (9, "- Another item of it"),
    ]


def test_a_grade_of_school_is_enough_to_read_each_page() -> None:
    graded = {
        place: readability.grade(sentences)
        for place, sentences in readability.templates()
        if sum(map(readability.length, sentences)) >= 60
    }
    assert max(graded.values()) <= HARDEST_GRADE, sorted(graded.items(), key=lambda row: -row[1])


def test_syllables_and_grade_are_counted_as_flesch_and_kincaid_did() -> None:
    assert [readability.syllables(word) for word in ("cat", "table", "released", "summary")] == [
        1,
        2,
        2,
        3,
    ]
    # 6 words in 1 sentence, 6 syllables: 0.39 * 6 + 11.8 * 1 - 15.59
    assert abs(readability.grade(["The cat sat on the mat."]) - -1.45) < 1e-9


def test_pages_explain_half_as_much_as_they_did() -> None:
    """Whoever adds a line of help makes a control plainer elsewhere, or this number larger."""
    counts = readability.help_words()

    assert sum(counts.values()) <= MOST_HELP, counts


def test_help_is_told_from_labels_reports_and_what_is_folded_away() -> None:
    page = """
      <h1>Export the gradebook of this course.</h1>
      <p class="lead">You will see a preview first.</p>
      <p>{{ count }} students wait for their results.</p>
      {% if rows %}<p>Some of these rows have changed.</p>{% endif %}
      {% if membership.is_instructor %}<p>You can change roles here.</p>{% endif %}
      <div class="callout callout-warning"><p>Nobody can restore it later.</p></div>
      <details><summary>Learn more</summary><p>It keeps every other byte.</p></details>
      <button>Download the file now.</button>"""

    assert readability.help_of_template(page) == [
        "You will see a preview first.",
        "You can change roles here.",
    ]
    form = 'name = Field(help_text="Who wrote the pasted summary.", label="No help at all here.")'
    assert readability.help_of_forms(form) == ["Who wrote the pasted summary."]
