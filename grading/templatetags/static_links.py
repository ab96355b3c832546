"""What a page links of our own files: styles and scripts, by their names."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html_join

register = template.Library()


@register.simple_tag
def stylesheets(*names: str) -> str:
    """``{% stylesheets "pages/queue" %}`` links ``css/pages/queue.css``."""
    return format_html_join(
        "\n", '<link rel="stylesheet" href="{}">', ((static(f"css/{name}.css"),) for name in names)
    )


@register.simple_tag
def scripts(*names: str) -> str:
    """``{% scripts "menu" %}`` links ``js/menu.js``, which runs when the page has been read."""
    return format_html_join(
        "\n", '<script src="{}" defer></script>', ((static(f"js/{name}.js"),) for name in names)
    )
