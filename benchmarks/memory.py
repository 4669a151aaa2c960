"""The memory of the dynos after some traffic.

First a web dyno that sends mails itself, then a web dyno beside a worker dyno: gunicorn with two workers, and
perhaps the sender. No dyno may need more than 512 MB.
"""

import re
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from accounts.models import User
from benchmarks.members import ADMIN_EMAIL, PASSWORD, create_admin_cookie
from benchmarks.requests import BROWSER, SIGN_UP, subscribe
from benchmarks.servers import Request, get_environment, graphql, server
from tests.processes import ROOT

MAX_MEGABYTES = 512
PAGES = ("/", "/newsletter", "/landing", "/landing-sailors", "/?lang=cs", "/signin")
ADMIN_PAGES = ("operations/", "newsletter/subscription/", "accounts/user/", "post_office/email/")


def measure_process(pid: int) -> tuple[int, int]:
    """Return a process's resident and proportional set size in MB (Linux)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", rollup, re.MULTILINE))
    return int(kilobytes["Rss"]) // 1024, int(kilobytes["Pss"]) // 1024


def measure_dynos(name: str, *, has_sender: bool, seconds: float) -> list[bool]:
    """Start the processes, send the traffic, and print and check the memory of each dyno."""
    with ExitStack() as stack:
        mails = stack.enter_context(TemporaryDirectory())  # not in a process's memory
        changes = {"EMAIL_URL": f"filemail:///{mails}", "EMBEDDED_WORKER": str(not has_sender)}
        site = stack.enter_context(server(**changes))
        senders = []
        if has_sender:
            command = [sys.executable, "manage.py", "worker"]
            sender = stack.enter_context(subprocess.Popen(command, cwd=ROOT, env=get_environment(**changes)))
            stack.callback(sender.terminate)
            senders = [[sender.pid]]
        sign_up = graphql(SIGN_UP, email=f"{name}.{{number}}@example.com", password=PASSWORD)
        for request in (*(Request(path, headers=BROWSER) for path in PAGES), subscribe(name)):
            site.load(request, seconds=seconds)
        site.load(sign_up, seconds=seconds, connections=1)  # a network hashes one password at a time
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


def measure(smoke: bool) -> list[bool]:
    seconds = 0.3 if smoke else 5
    return [
        *measure_dynos("alone", has_sender=False, seconds=seconds),
        *measure_dynos("beside", has_sender=True, seconds=seconds),
    ]
