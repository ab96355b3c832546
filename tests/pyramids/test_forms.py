"""The settings of a build: the defaults of the method, and what is wrong with others."""

import pytest
from django.test import override_settings

from grading.pyramid.registry import BUILDERS, METHODS, BuildSettings, settings_of
from grading.pyramids.forms import BuildForm

TOLD = {"builder": "edua-g", "edges": "length", "edge_percentile": "", "beta": "2.5"}


@pytest.mark.parametrize("method", METHODS)
def test_the_form_begins_as_the_configured_method_builds(method: str) -> None:
    with override_settings(PYREVAL_METHOD=method):
        begun = BuildForm()
        sent = BuildForm({name: begun[name].value() for name in begun.fields})

        assert sent.is_valid()
        assert sent.settings() == settings_of(METHODS[method])


def test_every_builder_is_explained() -> None:
    assert [choice.name for choice, _ in BuildForm().builders] == list(BUILDERS)
    assert [chosen for _, chosen in BuildForm().builders] == [False, True, False, False]


def test_a_percentile_is_only_used_where_it_is_asked_for() -> None:
    by_length = BuildForm(TOLD | {"edge_percentile": "90"})
    by_percentile = BuildForm(TOLD | {"edges": "percentile", "edge_percentile": "90"})

    assert by_length.is_valid()
    assert by_length.settings() == BuildSettings("edua-g", None, 2.5)
    assert by_percentile.is_valid()
    assert by_percentile.settings() == BuildSettings("edua-g", 90.0, 2.5)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"edges": "percentile"}, "edge_percentile"),
        ({"edges": "percentile", "edge_percentile": "-1"}, "edge_percentile"),
        ({"edges": "percentile", "edge_percentile": "nan"}, "edge_percentile"),
        ({"beta": ""}, "beta"),
        ({"beta": "11"}, "beta"),
        ({"beta": "inf"}, "beta"),
        ({"builder": "edua-x"}, "builder"),
        ({"edges": "luck"}, "edges"),
    ],
)
def test_nonsense_is_refused(changed: dict[str, str], field: str) -> None:
    form = BuildForm(TOLD | changed)

    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert len(form.errors[field]) == 1
