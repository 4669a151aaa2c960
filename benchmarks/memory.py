"""The memory of the dynos after some traffic (`make memory`).

First a web dyno that sends mails itself, then a web dyno beside a worker dyno: gunicorn with two workers, and
perhaps the sender, on the database of DATABASE_URL. Sends 12,000 requests over 8 connections, visits Django
admin, and prints the memory of each process. The exit status is 1 if a dyno needs more than 512 MB.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.cookies import SimpleCookie
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import tests.environment  # noqa: F401 - the settings of the tests
from tests.processes import ROOT, children, environment, manage

LIMIT = 512
"""MB."""
CONNECTIONS = 8
REQUESTS = 1500
"""Per connection."""
PAGES = ("/", "/newsletter", "/landing", "/landing-sailors", "/?lang=cs", "/nowhere", "/readyz")
ADMIN_PAGES = ("operations/", "newsletter/subscription/", "accounts/user/", "post_office/email/")
EMAIL, PASSWORD = "admin@sailing.example", "Fair winds, 2025!"
SUBSCRIBE = 'mutation { subscribeNewsletter(input: {email: "%s", userType: "sailor"}) { success } }'
SIGN_UP = """mutation { signUp(input: {
  firstName: "Jana", lastName: "N", email: "%s", password: "Fair winds, 2025!"
}) { token } }"""


def megabytes(pid: int) -> tuple[int, int]:
    """Return a process's resident and proportional set size in MB (Linux)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", rollup, re.MULTILINE))
    return int(kilobytes["Rss"]) // 1024, int(kilobytes["Pss"]) // 1024


def report(when: str, gunicorn: int, *senders: int) -> int:
    """Print the memory of every process; return that of the largest dyno."""
    print(when)
    web = 0
    for name, pid in [("gunicorn", gunicorn), *(("its worker", child) for child in children(gunicorn))]:
        resident, proportional = megabytes(pid)
        web += proportional
        print(f"  {name:<12}{resident:>5} MB resident")
    print(f"  web dyno    {web:>5} MB, shared pages counted once")
    workers = [megabytes(sender)[0] for sender in senders]
    for worker in workers:
        print(f"  worker dyno {worker:>5} MB")
    return max([web, *workers])


def visit(port: int, row: str) -> None:
    """Send requests on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number in range(REQUESTS):
        if number % 3:
            connection.request("GET", PAGES[number % len(PAGES)], headers={"Accept-Encoding": "br"})
        else:
            query = (SUBSCRIBE if number % 30 else SIGN_UP) % f"visitor{row}-{number}@example.org"
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/graphql", json.dumps({"query": query}), headers)
        connection.getresponse().read()


def visit_admin(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    cookies: SimpleCookie = SimpleCookie()

    def fetch(path: str, form: dict[str, str] | None = None) -> str:
        headers = {"Cookie": "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())}
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
        response = connection.getresponse()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                cookies.load(value)
        return response.read().decode()

    field = re.search(r'csrfmiddlewaretoken" value="([^"]+)', fetch("/admin/login/"))
    assert field
    fetch("/admin/login/", {"csrfmiddlewaretoken": field[1], "username": EMAIL, "password": PASSWORD})
    for page in ADMIN_PAGES * 10:
        assert "<h1>" in fetch(f"/admin/{page}"), page


def wait_until_ready(port: int) -> None:
    for _try in range(200):
        with suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.1)
    sys.exit("The site does not answer.")


def measure(name: str, *commands: list[str], **changes: str) -> int:
    """Start the processes, send the traffic, and return the memory of the largest dyno."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    changes |= {"PORT": str(port), "SITE_URL": f"http://127.0.0.1:{port}"}
    gunicorn = [str(Path(sys.executable).parent / "gunicorn"), "--bind", f"127.0.0.1:{port}", "sailing.wsgi"]
    log = subprocess.DEVNULL
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment(**changes), stderr=log, stdout=log)
        for command in (gunicorn, *commands)
    ]
    pids = [process.pid for process in processes]
    try:
        wait_until_ready(port)
        report(f"{name}, after the start", *pids)
        rows = [
            threading.Thread(target=visit, args=(port, f"{name.replace(' ', '-')}{row}"))
            for row in range(CONNECTIONS)
        ]
        for thread in rows:
            thread.start()
        for thread in rows:
            thread.join()
        visit_admin(port)
        return report(f"{name}, after {CONNECTIONS * REQUESTS} requests", *pids)
    finally:
        for process in processes:
            os.kill(process.pid, signal.SIGTERM)
            process.wait(30)


def main() -> int:
    rates = dict.fromkeys(["SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE"], "1000000/m")
    account = {"DJANGO_SUPERUSER_EMAIL": EMAIL, "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    manage("migrate", "--noinput")
    manage("createsuperuser", "--noinput", **account)
    with TemporaryDirectory() as mails:  # not in a process's memory
        changes = {"EMAIL_URL": f"filemail:///{mails}", **rates}
        sender = [sys.executable, "manage.py", "worker"]
        most = max(
            measure("alone", EMBEDDED_WORKER="true", **changes),
            measure("beside a worker", sender, EMBEDDED_WORKER="false", **changes),
        )
    return int(most > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
