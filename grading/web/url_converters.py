"""The parts of addresses besides words; any other address does not exist."""

from django.urls import register_converter
from django.urls.converters import IntConverter, StringConverter

from grading.access.hidden_names import KEY_LENGTH
from grading.pyramid.formats.file_kinds import FILE_KINDS


class IdConverter(IntConverter):
    """Numbers that a database can hold; others are addresses that do not exist."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")


class FileKindConverter(StringConverter):
    """Endings of the files that a pyramid is written to."""

    regex = "|".join(FILE_KINDS)


register_converter(FileKindConverter, "file_kind")


class SuggestionKeyConverter(StringConverter):
    """What key_of makes, which is as long as a database keeps; nothing else is a suggestion."""

    regex = "[0-9a-f]{32}"


register_converter(SuggestionKeyConverter, "suggestion_key")


class PersonKeyConverter(StringConverter):
    """What person_key makes: a person in one assignment, without the account's id."""

    regex = f"[0-9a-f]{{{KEY_LENGTH}}}"


register_converter(PersonKeyConverter, "person_key")


class CalibrationFileConverter(StringConverter):
    """What a sample is written to files as."""

    regex = "ideas|scores"


register_converter(CalibrationFileConverter, "calibration_file")
