"""The first load of each public page, compared with a hand-written page with the same content.

Measured by Lighthouse with its settings for phones: slow 4G, CPU slowed down four times.
"""

import json
import os
import subprocess
from statistics import median

from benchmarks import comparison
from benchmarks.servers import Server, server
from sailing.web.pages import frontend
from tests.processes import ROOT

BAR = comparison.Bar(1.25)
"""Of the largest contentful paint."""
MAX_TBT = 100
"""Milliseconds."""
MAX_CLS = 0.01
MIN_PERFORMANCE = 98
SCORES = ["performance", "accessibility", "best-practices", "seo"]
METRICS = ["fcp", "lcp", "tbt", "cls"]
ATTEMPTS = 3
"""Of one run: Lighthouse sometimes reports no largest paint."""

Result = dict[str, float]


class NoBrowser(Exception):
    """There is no Chromium on this machine, and none could be installed."""


def find_browser() -> str:
    found = subprocess.run([ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        raise NoBrowser
    return found.stdout.strip()


def run_lighthouse(site: Server, path: str, chromium: str) -> Result:
    """Return the scores and metrics of a page. Raises RuntimeError after ATTEMPTS failures."""
    for _try in range(ATTEMPTS):
        done = subprocess.run(
            [
                "node",
                "frontend/tools/bench/lighthouse/measure-page.js",
                f"http://127.0.0.1:{site.port}{path}",
            ],
            cwd=ROOT,
            env=os.environ | {"CHROME_PATH": chromium},
            stdout=subprocess.PIPE,
            check=False,
        )
        if done.returncode == 0:
            result: Result = json.loads(done.stdout)
            return result
        print(f"(Lighthouse could not measure {path}: see above. The run is repeated.)", flush=True)
    raise RuntimeError(f"Lighthouse cannot measure {path}; its reasons are above.")


def meets_absolute_bars(results: list[Result]) -> bool:
    """Print the medians and the range of TBT; return whether the absolute bars are met."""
    found = {name: median(result[name] for result in results) for name in SCORES + METRICS}
    shown = "  ".join(f"{name} {value:.{3 if name == 'cls' else 0}f}" for name, value in found.items())
    blocked = sorted(result["tbt"] for result in results)
    print(f"  {shown}  (tbt {blocked[0]:.0f} to {blocked[-1]:.0f})")
    return found["tbt"] <= MAX_TBT and found["cls"] <= MAX_CLS and found["performance"] >= MIN_PERFORMANCE


def measure(smoke: bool) -> list[bool]:
    chromium = find_browser()
    public = [route for route in frontend.list_routes() if route.is_public]
    kept = []
    comparison.print_heading()
    with server() as site:
        for route in public[: 1 if smoke else None]:
            pairs = [
                [
                    run_lighthouse(site, path, chromium)
                    for path in (str(route.path), f"/peer/hand-written/{route.page}")
                ]
                for _round in range(1 if smoke else 5)
            ]
            ours, peer = [list(results) for results in zip(*pairs, strict=True)]
            largest = [[result["lcp"] for result in results] for results in (ours, peer)]
            kept.append(comparison.report(f"first load of {route.path}: LCP", *largest, unit="ms", bar=BAR))
            kept.append(meets_absolute_bars(ours))
    print(
        f"Absolute bars: TBT at most {MAX_TBT} ms, CLS at most {MAX_CLS},"
        f" performance at least {MIN_PERFORMANCE}."
    )
    return kept
