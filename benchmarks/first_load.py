"""The first load of each public page on a phone by Lighthouse, compared with a hand-written page."""

import json
import os
import subprocess
from functools import partial
from statistics import median

from benchmarks.report import Report
from benchmarks.servers import server
from sailing.web.pages import frontend
from tests.processes import ROOT

Result = dict[str, float]


class NoBrowser(Exception):
    """There is no Chromium on this machine, and none could be installed."""


def run_lighthouse(url: str, chromium: str) -> Result:
    """Return the scores and metrics of a page. Raises RuntimeError after three failures."""
    command = ["node", "frontend/tools/bench/lighthouse/measure-page.js", url]
    environment = os.environ | {"CHROME_PATH": chromium}
    for _try in range(3):  # it sometimes reports no largest paint
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=False)
        if done.returncode == 0:
            result: Result = json.loads(done.stdout)
            return result
        print(f"(Lighthouse could not measure {url}: see above. The run is repeated.)", flush=True)
    raise RuntimeError(f"Lighthouse cannot measure {url}; its reasons are above.")


def measure_page(report: Report, origin: str, route: frontend.Route, chromium: str) -> None:
    ours: list[Result] = []
    peers: list[Result] = []

    def measure(path: str, results: list[Result]) -> float:
        results.append(run_lighthouse(f"{origin}{path}", chromium))
        return results[-1]["lcp"]

    sides = (
        partial(measure, str(route.path), ours),
        partial(measure, f"/peer/hand-written/{route.page}", peers),
    )
    report.compare(f"{route.path}: LCP", *sides, "ms", report.choose(5, 1), at_most=1.25)
    found = {name: median(result[name] for result in ours) for name in ours[0]}
    report.check(f"{route.path}: performance", found["performance"], "", at_least=98)
    report.check(f"{route.path}: TBT", found["tbt"], "ms", at_most=100)
    report.check(f"{route.path}: CLS", found["cls"], "", at_most=0.01)


def measure(report: Report) -> None:
    found = subprocess.run([ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        raise NoBrowser
    public = [route for route in frontend.list_routes() if route.is_public]
    with server() as site:
        for route in public[: report.choose(None, 1)]:
            measure_page(report, f"http://127.0.0.1:{site.port}", route, found.stdout.strip())
