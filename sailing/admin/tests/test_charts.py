"""The bar charts of Django admin."""

import re
from datetime import date

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from newsletter.models import UserType
from sailing.admin.charts import ChartData, draw_bars, round_up_axis

JUNE_30, JULY_1 = date(2025, 6, 30), date(2025, 7, 1)


def draw(sailors: int, companies: int) -> ChartData:
    return draw_bars(list(UserType), {JUNE_30: [sailors, companies]}, totals=[sailors, companies])


def render(data: ChartData, **context: str) -> str:
    return render_to_string("admin/chart.html", {"data": data, "id": "x", "empty": "Nothing yet.", **context})


@pytest.mark.parametrize(("highest", "top"), [(0, 4), (5, 6), (10, 10), (11, 20), (2001, 4000)])
def test_axis_ends_at_a_round_number(highest: int, top: int) -> None:
    assert round_up_axis(highest) == top


def test_chart_has_a_bar_and_a_row_of_its_table_for_each_day() -> None:
    page = render(draw(3, 2))
    assert "<title>Jun\xa030,\xa02025: Sailor 3, Company 2</title>" in page
    assert re.search(r'<th scope="row">Jun\xa030,\xa02025</th>\s*<td>3</td><td>2</td>', page)
    assert 'class="chart-1" x=".15" y="3" width=".7" height="3"' in page
    assert 'class="chart-2" x=".15" y="1" width=".7" height="2"' in page


def test_losses_go_below_the_axis_and_each_bar_has_its_stock() -> None:
    days = {JUNE_30: [5, 0], JULY_1: [3, -2]}
    data = draw_bars(list(UserType), days, totals=[8, 2], stock=100)
    assert (data.top, data.bottom, [day.stock for day in data.days]) == (6, 4, [99, 100])
    page = render(data, stock_label="Readers")
    assert 'viewBox="0 0 2 10"' in page
    assert 'class="chart-1" x=".15" y="3" width=".7" height="3"' in page
    assert 'class="chart-2" x=".15" y="6" width=".7" height="2"' in page
    assert re.search(r'<th scope="row">Jul\xa01,\xa02025</th>\s*<td>100</td>\s*<td>3</td><td>-2</td>', page)


def test_numbers_in_svg_are_not_localized() -> None:
    with translation.override("cs"):
        assert 'y="999" width=".7" height="1001"' in render(draw(1001, 0))


def test_chart_without_rows_says_so() -> None:
    page = render(draw(0, 0))
    assert "Nothing yet." in page
    assert "<rect" not in page
