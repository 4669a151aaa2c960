"""Tags of the pages that Django renders: error pages have no context processors."""

import re
from typing import Any

import structlog
from django import template
from django.conf import settings
from django.contrib.admin.utils import label_for_field
from django.urls import reverse
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language

from sailing.web.middleware import prevent_breaks
from sailing.web.pages import frontend

register = template.Library()
register.simple_tag(frontend.get_script_url, name="bundled_script")
register.filter(prevent_breaks)
logger = structlog.get_logger(__name__)


@register.filter
def paragraphs(text: str) -> str:
    """Return the paragraphs of a mail, between blank lines, as HTML."""
    style = "margin: 16px 0 0; font-size: 16px; line-height: 26px; color: #0B1B2E;"
    parts = [mark_safe(part) for part in re.split(r"\n\s*\n", text.strip())]  # noqa: S308 - a template has escaped it
    return format_html_join("\n", '<p class="text" style="{}">{}</p>', ((style, part) for part in parts))


@register.simple_tag
def message(key: str) -> str:
    """Return a text of the React front end."""
    return frontend.get_message(get_language() or settings.LANGUAGE_CODE, key)


@register.simple_tag
def document_assets() -> frontend.Assets:
    """Return the assets of a page, none if the bundle cannot be read: error pages work without styles."""
    try:
        return frontend.get_document_assets()
    except OSError as error:
        logger.error("bundle_missing", problem=str(error))
        return {}


@register.simple_tag(takes_context=True)
def aria_current(context: template.Context, url: str, *lists: str) -> str:
    """Return the attribute that marks the link to the page, or to a list of its app or among `lists`."""
    path = context["request"].path
    if path == url:
        return mark_safe(' aria-current="page"')
    app = url.rstrip("/").rpartition("/")[0] + "/"
    section = url if app == reverse("admin:index") else app
    return mark_safe(' aria-current="true"') if path.startswith((section, *lists)) else ""


@register.filter
def mark_headings(headings: list[dict[str, Any]], changelist: Any) -> list[dict[str, Any]]:
    for column, heading in zip(changelist.list_display, headings, strict=True):
        if column in changelist.model_admin.number_columns:
            heading["class_attrib"] = SafeString(heading["class_attrib"].replace('="', '="is-number ', 1))
    return headings


@register.filter
def label_cells(row: list[SafeString], changelist: Any) -> list[SafeString]:
    """Return the cells of a row, each with the label of its column for a phone, unless it is blank."""
    admin = changelist.model_admin
    columns = [name for name in changelist.list_display if name != "action_checkbox"]
    title = admin.title_column or columns[0]
    empty = admin.admin_site.empty_value_display  # a list may have "", for the pages of its rows
    shown = [re.sub(r"^(<td[^>]*>)(?=</td>$)", rf"\1{empty}", cell) for cell in row[-len(columns) :]]
    cells = row[: -len(columns)]
    for column, cell in zip(columns, shown, strict=True):
        is_blank = strip_tags(cell).strip() == empty
        roles = {
            " is-title": column == title,
            " is-number": column in admin.number_columns,
            " is-hidden": column != title and (is_blank or column in admin.hidden_columns),
        }
        name = str(label_for_field(column, changelist.model, admin))
        label = format_html(' data-label="{}"', capfirst(name))
        names = "".join(name for name, has_role in roles.items() if has_role)
        cells.append(SafeString(re.sub(r' class="([^"]*)"', rf'{label} class="\1{names}"', cell, count=1)))
    return cells
