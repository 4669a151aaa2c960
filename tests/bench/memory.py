"""How much memory a web dyno and a worker dyno hold after some traffic: `make memory`.

Starts gunicorn with two workers and the sender of the outbox on the database that DATABASE_URL names,
sends 12,000 requests over 8 connections, visits Django admin, and prints what each process holds in MB.
Exit status 1 when a dyno holds more than 512 MB.
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
from urllib.parse import urlencode

import tests.environment  # noqa: F401 - the settings of the tests
from tests.processes import ROOT, environment, manage

LIMIT = 512  # MB
CONNECTIONS = 8
REQUESTS = 1500  # each
PAGES = ("/", "/newsletter", "/landing", "/landing-sailors", "/?lang=cs", "/nowhere", "/readyz")
ADMIN_PAGES = ("operations/", "newsletter/subscription/", "accounts/user/", "post_office/email/")
EMAIL, PASSWORD = "admin@sailing.example", "Fair winds, 2025!"
SUBSCRIBE = 'mutation { subscribeNewsletter(input: {email: "%s", userType: "sailor"}) { success } }'
SIGN_UP = """mutation { signUp(input: {
  firstName: "Jana", lastName: "N", email: "%s", password: "Fair winds, 2025!"
}) { token } }"""


def megabytes(pid: int) -> tuple[int, int]:
    """What a process holds: resident, and with what it shares counted in part (Linux)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    kilobytes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", rollup, re.MULTILINE))
    return int(kilobytes["Rss"]) // 1024, int(kilobytes["Pss"]) // 1024


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in listed.split()]


def told(when: str, gunicorn: int, sender: int) -> int:
    """Print what every process holds; return what the larger of the dynos does."""
    print(when)
    web = 0
    for name, pid in [("gunicorn", gunicorn), *(("its worker", child) for child in children(gunicorn))]:
        resident, proportional = megabytes(pid)
        web += proportional
        print(f"  {name:<12}{resident:>5} MB resident")
    worker = megabytes(sender)[0]
    print(f"  web dyno    {web:>5} MB, shared pages counted once\n  worker dyno {worker:>5} MB")
    return max(web, worker)


def visit(port: int, row: int) -> None:
    """A row of visitors, one after another on one connection."""
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

    def ask(path: str, form: dict[str, str] | None = None) -> str:
        headers = {"Cookie": "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())}
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("POST" if form else "GET", path, urlencode(form) if form else None, headers)
        response = connection.getresponse()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                cookies.load(value)
        return response.read().decode()

    field = re.search(r'csrfmiddlewaretoken" value="([^"]+)', ask("/admin/login/"))
    assert field
    ask("/admin/login/", {"csrfmiddlewaretoken": field[1], "username": EMAIL, "password": PASSWORD})
    for page in ADMIN_PAGES * 10:
        assert "<h1>" in ask(f"/admin/{page}"), page


def wait_until_ready(port: int) -> None:
    for _try in range(200):
        with suppress(OSError):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.1)
    sys.exit("The site does not answer.")


def main() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    rates = dict.fromkeys(["SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE"], "1000000/m")
    changes = {"PORT": str(port), "SITE_URL": f"http://127.0.0.1:{port}", "OUTBOX_THREAD": "false", **rates}
    manage("migrate", "--noinput", **changes)
    manage("createcachetable", **changes)
    account = {"DJANGO_SUPERUSER_EMAIL": EMAIL, "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
    manage("createsuperuser", "--noinput", **changes, **account)

    log = subprocess.DEVNULL
    programs = Path(sys.executable).parent
    processes = [
        subprocess.Popen(command, cwd=ROOT, env=environment(**changes), stderr=log, stdout=log)
        for command in (
            [str(programs / "gunicorn"), "--bind", f"127.0.0.1:{port}", "sailing.wsgi"],
            [sys.executable, "manage.py", "send_mails"],
        )
    ]
    gunicorn, sender = (process.pid for process in processes)
    try:
        wait_until_ready(port)
        told("after the start", gunicorn, sender)
        rows = [threading.Thread(target=visit, args=(port, row)) for row in range(CONNECTIONS)]
        for thread in rows:
            thread.start()
        for thread in rows:
            thread.join()
        visit_admin(port)
        most = told(f"after {CONNECTIONS * REQUESTS} requests", gunicorn, sender)
    finally:
        for process in processes:
            os.kill(process.pid, signal.SIGTERM)
            process.wait(30)
    return 1 if most > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
