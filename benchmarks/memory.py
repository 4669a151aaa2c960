"""The memory of the dynos after some traffic, and during an import.

First a web dyno that sends mails itself, then a web dyno beside a worker dyno: gunicorn with two workers, and
perhaps the sender. Then the peak of a web dyno that imports a file, sends a campaign and serves pages at the
same time. No dyno may need more than 400 MB, of the 512 that Heroku's smallest ones have.
"""

import re
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from accounts.models import User
from benchmarks import campaign, imports, outbox
from benchmarks.members import ADMIN_EMAIL, PASSWORD, create_admin_cookie
from benchmarks.requests import BROWSER, SIGN_UP, subscribe
from benchmarks.servers import Request, Server, get_environment, graphql, server
from newsletter.campaigns.models import Campaign, CampaignState
from sailing.jobs.models import UNFINISHED, Job
from tests.processes import ROOT

MAX_MEGABYTES = 400
ENVIRONMENT = {"MALLOC_ARENA_MAX": "2", "TRUSTED_PROXY_COUNT": "1"}
"""As the Procfile sets it, behind a proxy that names the client."""
PAGES = ("/", "/newsletter", "/landing", "/landing-sailors", "/?lang=cs", "/signin")
ROWS, SMOKE_ROWS = 200_000, 50_000
"""More take no more memory: `benchmarks/imports.py` reads a million."""

READERS_PER_ROW = 0.5
"""Enough that the campaign is still being sent when the import is done."""
ADMIN_PAGES = ("system/", "newsletter/subscription/", "accounts/user/", "mail/outboxemail/")


def measure_process(pid: int) -> tuple[int, int]:
    """Return a process's resident and proportional set size in MB (Linux)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", rollup, re.MULTILINE))
    return int(kilobytes["Rss"]) // 1024, int(kilobytes["Pss"]) // 1024


def measure_dynos(name: str, *, has_sender: bool, seconds: float) -> list[bool]:
    """Start the processes, send the traffic, and print and check the memory of each dyno."""
    with ExitStack() as stack:
        mails = stack.enter_context(TemporaryDirectory())  # not in a process's memory
        changes = ENVIRONMENT | {"EMAIL_URL": f"filemail:///{mails}", "EMBEDDED_WORKER": str(not has_sender)}
        site = stack.enter_context(server(**changes))
        senders = []
        if has_sender:
            command = [sys.executable, "manage.py", "worker"]
            sender = stack.enter_context(subprocess.Popen(command, cwd=ROOT, env=get_environment(**changes)))
            stack.callback(sender.terminate)
            senders = [[sender.pid]]
        sign_up = graphql(SIGN_UP, email=f"{name}.{{number}}@example.com", password=PASSWORD)
        # Each from another network, because a network hashes one password at a time.
        sign_up = replace(sign_up, headers={"X-Forwarded-For": "{address}"})
        for request in (*(Request(path, headers=BROWSER) for path in PAGES), subscribe(name)):
            site.load(request, seconds=seconds)
        site.load(sign_up, seconds=seconds, connections=2)  # a process refuses a third hash
        User.objects.filter(email=ADMIN_EMAIL).delete()
        cookie = {"Cookie": create_admin_cookie()}
        for page in ADMIN_PAGES * 10:
            assert b"<h1>" in site.send(Request(f"/admin/{page}", headers=cookie))[1], page
        time.sleep(seconds)  # the sender is at work
        kept = []
        for dyno in ([site.process.pid, *site.get_workers()], *senders):
            sizes = [measure_process(pid) for pid in dyno]
            # The pages that a sender shares with the web processes count in full: it has a dyno of its own.
            total = sum(proportional for _resident, proportional in sizes) if dyno[1:] else sizes[0][0]
            each = ", ".join(str(resident) for resident, _proportional in sizes)
            print(f"{name}: {total} MB, shared pages counted once (resident: {each})", flush=True)
            kept.append(total <= MAX_MEGABYTES)
        return kept


def measure_busy_dyno(rows: int) -> bool:
    """Import a file while a campaign is sent and pages are served; print and check the peak of the memory."""
    User.objects.filter(email=ADMIN_EMAIL).delete()
    cookie = {"Cookie": create_admin_cookie()}
    user = User.objects.get(email=ADMIN_EMAIL)
    readers = int(rows * READERS_PER_ROW)
    campaign.fill(readers)
    newsletter = campaign.create_campaign()
    campaign.prepare(newsletter, user)
    with ExitStack() as stack:
        stack.enter_context(outbox.sink(outbox.NEAR_REPLY_SECONDS))
        address = f"smtp://127.0.0.1:{settings.EMAIL_PORT}"
        site = stack.enter_context(server(**ENVIRONMENT, EMAIL_URL=address, EMBEDDED_WORKER="true"))
        peak = idle = measure_web_dyno(site)
        Campaign.objects.filter(pk=newsletter.pk).update(state=CampaignState.SENDING)
        started = time.monotonic()
        checked = imports.check(user, "list.csv", imports.good_rows(rows, "busy"))
        peak = max(peak, measure_while(checked, site, cookie))
        batch, job = imports.start(checked)
        peak = max(peak, measure_while(job, site, cookie))
        seconds, sent = time.monotonic() - started, readers - campaign.count_waiting(newsletter)
        assert 0 < sent < readers, f"mails are sent during the whole import: {sent} of {readers}"
    batch.refresh_from_db()
    print(
        f"busy: {peak} MB at most, {idle} MB at the start; {batch.added_count} rows imported"
        f" and {sent} mails sent in {seconds:.0f} s",
        flush=True,
    )
    assert batch.added_count == rows, (job.state, job.error)
    campaign.clear()
    user.delete()
    return peak <= MAX_MEGABYTES


def measure_while(job: Job, site: Server, cookie: dict[str, str]) -> int:
    """Return the peak of the memory of a web dyno that serves pages until a job has ended."""
    peak = 0
    job.refresh_from_db()
    while job.state in UNFINISHED:
        for path in PAGES:
            site.send(Request(path, headers=BROWSER))
        for page in ADMIN_PAGES:
            site.send(Request(f"/admin/{page}", headers=cookie))
        peak = max(peak, measure_web_dyno(site))
        job.refresh_from_db()
    return peak


def measure_web_dyno(site: Server) -> int:
    """Return the memory of gunicorn and its workers in MB, with shared pages counted once."""
    return sum(measure_process(pid)[1] for pid in (site.process.pid, *site.get_workers()))


def measure(smoke: bool) -> list[bool]:
    seconds = 0.3 if smoke else 5
    return [
        *measure_dynos("alone", has_sender=False, seconds=seconds),
        *measure_dynos("beside", has_sender=True, seconds=seconds),
        measure_busy_dyno(SMOKE_ROWS if smoke else ROWS),
    ]
