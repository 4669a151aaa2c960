"""What the watches read, as metrics in the text format of Prometheus: `/metrics` behind METRICS_TOKEN."""

from collections.abc import Iterator, Mapping
from math import nan
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from sailing import __version__, status
from sailing.web.pages import views


class Watches(Collector):
    def collect(self) -> Iterator[Metric]:
        # Two processes with different versions are two releases at once.
        yield InfoMetricFamily("sailing_release", "The release that runs.", {"version": __version__})
        problems = GaugeMetricFamily("sailing_problem", "1 for what needs a person.", labels=["watch"])
        for reading in status.read(status.watches):
            name, label, value = f"sailing_{reading.watch.name}", str(reading.watch.label), reading.value
            problems.add_metric([reading.watch.name], int(reading.is_problem))
            if isinstance(value, Mapping):
                gauge = GaugeMetricFamily(name, label, labels=["state"])
                for state, count in value.items():
                    gauge.add_metric([state.value], count)
            else:
                gauge = GaugeMetricFamily(name, label, value=nan if value is None else value)
            yield gauge
        yield problems


def metrics(request: HttpRequest) -> Any:
    if not settings.METRICS_TOKEN:
        return views.page(request)
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    headers = {"Cache-Control": "no-store"}
    if not constant_time_compare(token, settings.METRICS_TOKEN):
        headers["WWW-Authenticate"] = "Bearer"
        return HttpResponse("Unauthorized", status=401, content_type="text/plain", headers=headers)
    with translation.override("en"):
        text = generate_latest(Watches())
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST, headers=headers)
