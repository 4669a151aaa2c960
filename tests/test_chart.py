"""The scale of the charts in Django admin; what they count is tested beside each app's own."""

import pytest

from sailing.admin import charts


@pytest.mark.parametrize(
    ("highest", "top"), [(0, 4), (4, 4), (5, 6), (10, 10), (11, 20), (44, 60), (100, 100), (2001, 4000)]
)
def test_the_scale_ends_at_a_round_number(highest: int, top: int) -> None:
    assert charts.scale(highest) == top
