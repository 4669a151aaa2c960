"""The first load of each public page, compared with a hand-written page with the same content.

    .venv/bin/python -m benchmarks.first_load

Measured by Lighthouse with its settings for phones: slow 4G, CPU slowed down four times.
"""

import json
import os
import subprocess
import sys
from statistics import median

from benchmarks import comparison
from benchmarks.servers import Server, server
from tests.processes import ROOT

BAR = comparison.at_most(1.25)
MAX_TBT = 100
"""Milliseconds."""
MAX_CLS = 0.01
MIN_PERFORMANCE = 98
SCORES = ["performance", "accessibility", "best-practices", "seo"]
METRICS = ["fcp", "lcp", "tbt", "cls"]
ATTEMPTS = 3
"""Of one run: Lighthouse sometimes reports no largest paint."""
UNAVAILABLE = 69

Result = dict[str, float]


def find_browser() -> str:
    found = subprocess.run([ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        print("There is no Chromium on this machine, and none could be installed.")
        sys.exit(UNAVAILABLE)
    return found.stdout.strip()


def run_lighthouse(site: Server, path: str, chromium: str) -> Result:
    """Return the scores and metrics of a page. Raises RuntimeError after ATTEMPTS failures."""
    for _try in range(ATTEMPTS):
        done = subprocess.run(
            ["node", "frontend/tools/bench/measure-page.js", f"http://127.0.0.1:{site.port}{path}"],
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
    shown = [f"{found[name]:.{3 if name == 'cls' else 0}f}" for name in SCORES + METRICS]
    blocked = sorted(result["tbt"] for result in results)
    print(
        f"  {'  '.join(f'{name} {value}' for name, value in zip(SCORES + METRICS, shown, strict=True))}"
        f"  (tbt {blocked[0]:.0f} to {blocked[-1]:.0f})"
    )
    return found["tbt"] <= MAX_TBT and found["cls"] <= MAX_CLS and found["performance"] >= MIN_PERFORMANCE


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__, rounds=5)
    chromium = find_browser()
    table = json.loads((ROOT / "frontend" / "routes.json").read_text())["routes"]
    public = {route["path"]: route["page"] for route in table if route["isPublic"]}
    kept = []
    comparison.print_heading()
    with server(DATABASE_URL="sqlite://:memory:") as site:
        for path, page in list(public.items())[: 1 if effort.smoke else None]:
            ours: list[Result] = []
            peer: list[Result] = []
            for _round in range(effort.rounds):
                ours.append(run_lighthouse(site, path, chromium))
                peer.append(run_lighthouse(site, f"/peer/hand-written/{page}", chromium))
            largest = [[result["lcp"] for result in results] for results in (ours, peer)]
            kept.append(comparison.report(f"first load of {path}: LCP", *largest, unit="ms", bar=BAR))
            kept.append(meets_absolute_bars(ours))
    print(
        f"Absolute bars: TBT at most {MAX_TBT} ms, CLS at most {MAX_CLS},"
        f" performance at least {MIN_PERFORMANCE}."
    )
    comparison.exit_with_result(effort, *kept)


if __name__ == "__main__":
    main()
