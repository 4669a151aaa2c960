"""What a run of `make load` is judged by."""

from collections import Counter, defaultdict

import pytest

from benchmarks.load import Tally, growth, missed, percentile

LONG = [100.0] * 600
"""Megabytes, second by second."""


def good() -> Tally:
    accepted = defaultdict(list, {"page": [0.5] * 100})
    return Tally(accepted=accepted, refused=[0.02] * 100, probes=[0.1] * 600)


def test_a_good_run_misses_nothing() -> None:
    assert missed(good(), LONG) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"accepted": {"page": [0.5] * 90 + [2.5] * 10}}, "what was accepted took long"),
        ({"refused": [0.02] * 90 + [0.2] * 10}, "refusing took long"),
        ({"refused": []}, "nobody was refused: that was no load"),
        ({"probes": [0.1] * 590 + [2.5] * 10}, "/healthz took long"),
        ({"problems": Counter(["/healthz TimeoutError"])}, "something went wrong"),
    ],
)
def test_each_bar_counts(change: dict[str, object], told: str) -> None:
    tally = good()
    for name, value in change.items():
        setattr(tally, name, value)
    assert missed(tally, LONG) == [told]


def test_one_slow_look_at_healthz_among_hundreds_is_no_miss() -> None:
    tally = good()
    tally.probes[0] = 3.0
    assert missed(tally, LONG) == []


def test_memory_is_compared_from_two_minutes_on() -> None:
    grown = [100.0] * 60 + [110.0] * 60
    assert growth(grown) == pytest.approx(0.1)
    assert missed(good(), grown) == ["memory grew"]
    for seconds in (0, 20, 60, 119):
        assert growth(grown[:seconds]) is None
        assert missed(good(), grown[:seconds]) == []


@pytest.mark.parametrize(("times", "is_so"), [([], 0), ([3.0], 3.0), ([1.0, 2.0], 1.99)])
def test_a_percentile_is_never_beyond_what_was_measured(times: list[float], is_so: float) -> None:
    assert percentile(times, 99) == pytest.approx(is_so)
