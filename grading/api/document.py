"""The OpenAPI document as a page shows it: no script reads it for the reader."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]
_ERRORS_FROM = 300
_PAGE = "Page_"


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of what is sent or answered."""

    name: str
    kind: str
    is_required: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class ShownOperation:
    method: str
    path: str
    summary: str
    text: str
    parameters: tuple[Field, ...]
    body: tuple[Field, ...]
    status: str
    answer: str  # in words
    answer_name: str  # of the object that it is, or is a list of

    @property
    def anchor(self) -> str:
        words = self.path.replace("{", "").replace("}", "").strip("/").replace("/", "-")
        return f"{self.method.lower()}-{words}"


@dataclass(frozen=True, slots=True)
class ShownObject:
    """What is answered, or is a part of what is sent or answered."""

    name: str
    text: str
    fields: tuple[Field, ...]


@dataclass(slots=True)
class Section:
    title: str
    operations: list[ShownOperation] = field(default_factory=list)


def sections_of(document: Json) -> list[Section]:
    """All operations by their tags, in the order of the document."""
    sections: dict[str, Section] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            tag = operation.get("tags", ["Other"])[0]
            section = sections.setdefault(tag, Section(tag))
            section.operations.append(_shown(document, method.upper(), path, operation))
    return list(sections.values())


def _shown(document: Json, method: str, path: str, operation: Json) -> ShownOperation:
    status, answer = next(
        (status, response)
        for status, response in operation["responses"].items()
        if int(status) < _ERRORS_FROM
    )
    schema = _schema_in(answer)
    body = _schema_in(operation.get("requestBody", {}))
    return ShownOperation(
        method=method,
        path=path,
        summary=operation["summary"],
        text=operation.get("description", ""),
        parameters=tuple(_parameter(row) for row in operation.get("parameters", ())),
        body=tuple(_fields(document, body)),
        status=str(status),
        answer=_answer(schema),
        answer_name=_object_in(document, schema),
    )


def objects_of(document: Json) -> list[ShownObject]:
    """All that operations answer, and what these and requests are made of; by name."""
    schemas: Json = document["components"]["schemas"]
    return sorted(
        (
            ShownObject(
                _name(name), schema.get("description", ""), tuple(_fields(document, schema))
            )
            for name, schema in schemas.items()
            if not name.startswith(_PAGE)
        ),
        key=lambda shown: shown.name,
    )


def _answer(schema: Json) -> str:
    kind = _kind(schema) if schema else "nothing"
    return f"a page of {_name(kind.removeprefix(_PAGE))}" if kind.startswith(_PAGE) else kind


def _object_in(document: Json, schema: Json) -> str:
    """The name of the object that an answer is about; empty for files and where there is none."""
    if schema.get("type") == "array":
        schema = schema["items"]
    reference: str = schema.get("$ref", "")
    name = reference.rpartition("/")[2]
    if name.startswith(_PAGE):
        return _object_in(document, _resolved(document, schema)["properties"]["items"])
    return _name(name)


def _schema_in(part: Json) -> Json:
    kinds: list[Json] = list(part.get("content", {}).values())
    schema: Json = kinds[0].get("schema", {}) if kinds else {}
    return schema


def _parameter(row: Json) -> Field:
    kind = _kind(row["schema"])
    where = {"path": "in the address", "query": "in the query", "header": "header"}[row["in"]]
    text = row.get("description", row["schema"].get("description", ""))
    return Field(row["name"], f"{kind}, {where}", row["required"], text)


def _fields(document: Json, schema: Json) -> Iterator[Field]:
    schema = _resolved(document, schema)
    if schema.get("type") == "array":
        schema = _resolved(document, schema["items"])
    required = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        yield Field(name, _kind(part), name in required, _resolved(document, part).get("text", ""))


def _resolved(document: Json, schema: Json) -> Json:
    if "$ref" not in schema:
        return schema
    definition: Json = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return definition


def _kind(schema: Json) -> str:
    """In a word or two: “text”, “whole number or null”, “list of MatchOut”."""
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "anyOf" in schema:
        return " or ".join(_kind(part) for part in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(f"“{value}”" for value in schema["enum"])
    if "const" in schema:
        return f"“{schema['const']}”"
    return _plain_kind(schema)


def _plain_kind(schema: Json) -> str:
    kind = str(schema.get("type", "any"))
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if schema.get("format") == "date-time":
        return "time"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false"}
    return words.get(kind, kind)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2].removesuffix("Out")
