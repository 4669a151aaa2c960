"""The first load of each public page, and of a page written by hand with the same text, pictures and font.

    .venv/bin/python -m benchmarks.first_load

By Lighthouse as it measures phones: slow 4G, the processor slowed down four times. One server answers both.
"""

import json
import os
import subprocess
import sys
from statistics import median

from benchmarks import pairs
from benchmarks.servers import ROOT, Server, server

BAR = pairs.at_most(1.25)
BLOCKED = 100  # milliseconds
SHIFTED = 0.01
PERFORMANCE = 98
SCORES = ["performance", "accessibility", "best-practices", "seo"]
METRICS = ["fcp", "lcp", "tbt", "cls"]
TRIES = 3
"""Runs until a measurement is given up: at times Lighthouse tells no largest paint, and the run is none."""
UNAVAILABLE = 69  # EX_UNAVAILABLE, as our scripts say that something is not to be had

Result = dict[str, float]


def browser() -> str:
    found = subprocess.run([ROOT / "scripts" / "chromium"], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode:
        print("There is no Chromium on this machine, and none could be installed.")
        sys.exit(UNAVAILABLE)
    return found.stdout.strip()


def measured(site: Server, path: str, chromium: str) -> Result:
    """What Lighthouse tells of a page. Raises RuntimeError when it cannot, again and again."""
    for _try in range(TRIES):
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
        print(f"(Lighthouse could not measure {path}: see above. That run does not count.)", flush=True)
    raise RuntimeError(f"Lighthouse cannot measure {path}; its reasons are above.")


def keeps(results: list[Result]) -> bool:
    """Whether the medians keep to the bars that are no ratios; prints them, and between what TBT was."""
    found = {name: median(result[name] for result in results) for name in SCORES + METRICS}
    shown = [f"{found[name]:.{3 if name == 'cls' else 0}f}" for name in SCORES + METRICS]
    blocked = sorted(result["tbt"] for result in results)
    print(
        f"  {'  '.join(f'{name} {value}' for name, value in zip(SCORES + METRICS, shown, strict=True))}"
        f"  (tbt {blocked[0]:.0f} to {blocked[-1]:.0f})"
    )
    return found["tbt"] <= BLOCKED and found["cls"] <= SHIFTED and found["performance"] >= PERFORMANCE


def main() -> None:
    effort = pairs.Effort.chosen(__doc__, rounds=5)
    chromium = browser()
    table = json.loads((ROOT / "frontend" / "routes.json").read_text())["routes"]
    public = {route["path"]: route["page"] for route in table if route["isPublic"]}
    kept = []
    pairs.heading()
    with server(DATABASE_URL="sqlite://:memory:") as site:
        for path, page in list(public.items())[: 1 if effort.smoke else None]:
            ours: list[Result] = []
            peer: list[Result] = []
            for _round in range(effort.rounds):
                ours.append(measured(site, path, chromium))
                peer.append(measured(site, f"/peer/hand-written/{page}", chromium))
            largest = [[result["lcp"] for result in results] for results in (ours, peer)]
            kept.append(pairs.report(f"first load of {path}: LCP", *largest, unit="ms", bar=BAR))
            kept.append(keeps(ours))
    print(
        f"Bars beside the ratio: TBT at most {BLOCKED} ms, CLS at most {SHIFTED},"
        f" performance at least {PERFORMANCE}."
    )
    pairs.finish(effort, *kept)


if __name__ == "__main__":
    main()
