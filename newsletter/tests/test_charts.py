"""The bar charts of Django admin."""

import re
from datetime import date
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from newsletter.admin.growth import draw_bars, round_up_axis

JUNE_30, JULY_1 = date(2025, 6, 30), date(2025, 7, 1)


def draw(days: dict[date, list[int]]) -> dict[str, Any]:
    return draw_bars(["Came", "Left"], days, stock=100)


def render(data: dict[str, Any]) -> str:
    context = {"data": data, "id": "x", "empty": "Nothing yet.", "stock_label": "Readers"}
    return render_to_string("admin/newsletter/chart.html", context)


@pytest.mark.parametrize(("highest", "top"), [(0, 4), (5, 6), (10, 10), (11, 20), (2001, 4000)])
def test_axis_ends_at_a_round_number(highest: int, top: int) -> None:
    assert round_up_axis(highest) == top


def test_losses_go_below_the_axis_and_each_day_has_its_row_and_its_stock() -> None:
    data = draw({JUNE_30: [3, 2], JULY_1: [3, -2]})
    assert (data["top"], data["bottom"], [day["stock"] for day in data["days"]]) == (6, 4, [99, 100])
    page = render(data)
    assert 'viewBox="0 0 2 10"' in page
    assert "<title>Jun\xa030,\xa02025: Readers 99, Came 3, Left 2</title>" in page
    for category, y, height in ((1, 3, 3), (2, 1, 2), (2, 6, 2)):
        assert f'class="chart-{category}" x=".15" y="{y}" width=".7" height="{height}"' in page
    assert re.search(r'<th scope="row">Jul\xa01,\xa02025</th>\s*<td>100</td>\s*<td>3</td><td>-2</td>', page)


def test_numbers_in_svg_are_not_localized() -> None:
    with translation.override("cs"):
        assert 'y="999" width=".7" height="1001"' in render(draw({JUNE_30: [1001, 0]}))


def test_chart_without_rows_says_so() -> None:
    page = render(draw({JUNE_30: [0, 0]}))
    assert "Nothing yet." in page
    assert "<rect" not in page
