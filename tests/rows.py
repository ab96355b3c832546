"""All that stands in the tables, to compare before and after."""

from collections.abc import Container

from django.apps import apps

Rows = dict[str, list[tuple[object, ...]]]


def all_rows(*, but: Container[str] = ()) -> Rows:
    """By model, apart from who logged in when."""
    rows: Rows = {}
    for model in apps.get_app_config("grading").get_models():
        if model.__name__ not in but:
            names = [field.attname for field in model._meta.fields if field.name != "last_login"]
            rows[model.__name__] = list(model._base_manager.order_by("pk").values_list(*names))
    return rows
