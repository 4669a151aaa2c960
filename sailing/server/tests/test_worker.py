"""The processes: slow clients hold no thread, every wait has a limit, load is shed, mails and jobs go on."""

import json
import os
import runpy
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from http.client import parse_headers
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from pytest_django import Settings

from sailing.jobs.models import JOBS, MAILS, Job, JobState
from sailing.mail import outbox, sender
from sailing.mail.models import MailState, OutboxEmail
from sailing.server.tests.application import LARGE
from sailing.server.worker import MAX_BODY_SIZE, MAX_HEAD_SIZE, PEEK_SIZE
from tests import processes
from tests.processes import ROOT, wait_until

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx"
HALF_UPLOAD = b"POST /admin/ HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % MAX_BODY_SIZE
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
API_REQUEST = b"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
WORKER_CONNECTIONS = 64  # `gunicorn_settings.py`
LARGE_BODY = b"x" * MAX_BODY_SIZE
RESET = b"\1\0\0\0\0\0\0\0"  # the value of SO_LINGER with which closing a socket resets the connection
BAD_TYPE = b"Content-Type: text/html; title*=bogus''%ff"  # which Django cannot read
LATE_SECONDS = 3.0  # after its deadline, a connection may be closed so late on a busy machine


class Client:
    def __init__(self, port: int, data: bytes = b"", *, receive_buffer: int = 0) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.received = self.socket.makefile("rb")
        self.headers = Message()
        self.send(data)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read_response(self) -> tuple[int, bytes]:
        """Return the status and the body of the next response, and store its headers in `headers`."""
        status = self.received.readline().split()[1]
        self.headers = parse_headers(self.received)
        return int(status), self.received.read(int(self.headers["Content-Length"]))

    def is_closed(self) -> bool:
        """Return whether the worker closes the connection without a (further) response."""
        try:
            return self.received.read(1) == b""
        except ConnectionResetError:
            return True

    def close(self) -> None:
        self.received.close()
        self.socket.close()


class Server:
    """A running gunicorn with one worker, which has one thread."""

    def __init__(self, folder: Path) -> None:
        self.held = folder / "held"
        self.log = folder / "server.log"
        self.port = processes.free_port()
        self.clients: list[Client] = []
        command = [sys.executable, "-m", "gunicorn", f"--bind=127.0.0.1:{self.port}"]
        command += ["--config=sailing/server/tests/gunicorn_settings.py", "sailing.server.tests.application"]
        self.process = processes.start(self.log, *command, HELD=str(self.held))

    def is_listening(self) -> bool:
        try:
            return self.get("/healthz") == 200
        except OSError:  # the connection is refused
            return False

    def connect(self, data: bytes = b"", **options: Any) -> Client:
        client = Client(self.port, data, **options)
        self.clients.append(client)
        return client

    def get(self, path: str = "/") -> int:
        """Return the status of a response on a new connection."""
        return self.connect(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()).read_response()[0]

    def hold(self) -> Client:
        """Return a client whose request holds its thread until `release`."""
        self.held.touch()
        client = self.connect(b"GET /admin/held HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.wait_for_requests()
        return client

    def wait_for_requests(self) -> None:
        """Wait until the worker has the requests that were sent before."""
        assert self.get("/healthz") == 200

    def release(self) -> None:
        self.held.unlink(missing_ok=True)

    def read_log(self, event: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if f'"{event}"' in line]


@contextmanager
def running_server(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        wait_until(server.is_listening, "the server answers")
        yield server
    finally:
        processes.kill_group(server.process)
        for client in server.clients:
            client.close()


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Iterator[Server]:
    """Return a server that several tests use. No test leaves a connection behind."""
    yield shared_server
    shared_server.release()
    while shared_server.clients:
        shared_server.clients.pop().close()


class TestSlowSenders:
    @pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY, HALF_UPLOAD, REQUEST + HALF_HEAD])
    def test_slow_client_holds_no_thread(self, server: Server, sent: bytes) -> None:
        for _number in range(3):
            client = server.connect(sent)
            if sent.startswith(REQUEST):
                client.read_response()
        started = time.monotonic()
        assert server.get() == 200
        assert time.monotonic() - started < 2  # three in turns would hold the thread for longer

    @pytest.mark.parametrize(("sent", "seconds"), [(b"", 0.5), (HALF_HEAD, 0.5), (HALF_BODY, 1.5)])
    def test_connection_is_closed_at_its_deadline(self, server: Server, sent: bytes, seconds: float) -> None:
        started = time.monotonic()
        assert server.connect(sent).is_closed()
        assert seconds <= time.monotonic() - started < seconds + LATE_SECONDS

    def test_next_request_has_its_own_deadline(self, server: Server) -> None:
        client = server.connect(REQUEST)
        client.read_response()
        time.sleep(0.6)
        client.send(HALF_HEAD)
        time.sleep(0.2)
        client.send(b"host\r\n\r\n")
        assert client.read_response()[0] == 200

    @pytest.mark.parametrize("size", [PEEK_SIZE - 1000, PEEK_SIZE, MAX_BODY_SIZE])
    def test_body_of_any_size_is_served(self, server: Server, size: int) -> None:
        client = server.connect(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % size)
        for start in range(0, size, 30_000):
            client.send(LARGE_BODY[start : min(start + 30_000, size)])
        assert json.loads(client.read_response()[1])["size"] == size

    def test_body_whose_rest_never_comes_is_not_served(self, server: Server) -> None:
        client = server.connect(HALF_UPLOAD)
        client.socket.shutdown(socket.SHUT_WR)
        assert client.is_closed()


class TestSlowReaders:
    @pytest.mark.parametrize("path", ["/large-file", "/large-stream", "/admin/large-file"])
    def test_client_that_reads_nothing_holds_a_thread_for_a_while(self, server: Server, path: str) -> None:
        server.connect(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode(), receive_buffer=4096)
        assert server.get() == 200
        assert "Traceback" not in server.log.read_text()

    def test_download_of_an_admin_may_take_longer(self, server: Server) -> None:
        client = server.connect(b"GET /admin/large-stream HTTP/1.1\r\nHost: a\r\n\r\n")
        while client.received.readline() != b"\r\n":
            pass
        for _part in range(3):
            time.sleep(0.3)
            assert len(client.received.read(LARGE // 3)) == LARGE // 3


class TestRefusedRequests:
    @pytest.mark.parametrize(
        ("sent", "status"),
        [
            (b"garbage\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\n\r\n", 400),  # RFC 9112 section 3.2: Host is required
            (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY_SIZE + 1), 413),
            (HALF_HEAD + b"t" * 4 * MAX_HEAD_SIZE, 431),
            (b"GET /failing HTTP/1.1\r\nHost: a\r\n\r\n", 500),
        ],
    )
    def test_refusal_has_its_status_and_all_headers(self, server: Server, sent: bytes, status: int) -> None:
        client = server.connect(sent)
        assert client.read_response()[0] == status
        assert "default-src 'none'" in client.headers["Content-Security-Policy"]
        assert client.headers["Cache-Control"] == "no-store"
        assert client.headers["Connection"] == "close"
        assert client.headers["Server"] is None
        line = server.read_log("application_failed" if status == 500 else "request_refused")[-1]
        assert (line["code"], line["request_id"]) == (status, client.headers["X-Request-ID"])

    @pytest.mark.parametrize(
        "line",
        [
            "Content-Length: +42",
            "Content-Length: 0\r\nContent-Length: 42",
            "X: y\nContent-Length: 42",
            "Content-Length: 5\r\nTransfer-Encoding: chunked",
        ],
    )
    def test_smuggled_request_is_never_served(self, server: Server, line: str) -> None:
        head = f"POST / HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n".encode("latin-1")
        client = server.connect(head + b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.read_response()[0] == 400
        assert client.is_closed()


class TestConnections:
    def test_idle_ones_leave_room_for_others(self, server: Server) -> None:
        for _number in range(WORKER_CONNECTIONS - 6):
            client = server.connect(REQUEST)
            assert client.read_response()[0] == 200
        assert client.headers["Connection"] == "close"

    def test_pipelined_requests_are_answered_in_order_and_by_their_paths(self, server: Server) -> None:
        forged = b"GET / HTTP/1.1\r\nHost: a\r\nPATH_INFO: /x\r\nPath-Info: /x\r\n\r\n"
        client = server.connect(HALF_BODY + b"x" * 999 + forged + REQUEST.replace(b"/ ", b"/healthz ", 1))
        client.socket.shutdown(socket.SHUT_WR)
        found = [json.loads(client.read_response()[1]) for _request in range(3)]
        assert [tuple(each.values()) for each in found] == [("/", 1000), ("/", 0), ("/healthz", 0)]
        assert client.is_closed()

    def test_100_continue_is_sent_once(self, server: Server) -> None:
        client = server.connect(
            b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n"
        )
        assert client.received.readline() == b"HTTP/1.1 100 Continue\r\n"
        assert client.received.readline() == b"\r\n"
        client.send(LARGE_BODY[:70_000])
        status, body = client.read_response()
        assert (status, json.loads(body)["size"]) == (200, 70_000)


def test_requests_under_way_are_answered_when_the_worker_stops(tmp_path: Path) -> None:
    """After Ctrl+C; `make faults` has SIGTERM."""
    with running_server(tmp_path) as server:
        idle = server.connect(REQUEST)
        idle.read_response()
        held, half = server.hold(), server.connect(HALF_BODY)
        server.wait_for_requests()
        for pid in (*processes.children(server.process.pid), server.process.pid):
            os.kill(pid, signal.SIGINT)  # as a terminal does
        wait_until(lambda: not server.is_listening(), "new connections are refused")
        server.release()
        assert held.read_response()[0] == 200
        for client, rest in ((half, b"x" * 999), (idle, REQUEST)):
            client.send(rest)
            assert client.read_response()[0] == 200
            assert client.headers["Connection"] == "close"
        assert server.process.wait(10) == 0


class TestLoadShedding:
    @pytest.fixture
    def _full_queue(self, server: Server) -> Iterator[None]:
        """Hold the only thread and fill the queue. Nothing that a test does may harm these requests."""
        accepted = [server.hold(), *(server.connect(REQUEST) for _number in range(3))]
        server.wait_for_requests()
        yield
        server.release()
        assert {client.read_response()[0] for client in accepted} == {200}

    @pytest.mark.usefixtures("_full_queue")
    def test_request_past_the_queue_is_refused(self, server: Server) -> None:
        api, page = server.connect(API_REQUEST), server.connect()
        page.send(b"GET / HTTP/1.1\r\nHost: a\r\nCookie: django_language=cs\r\n\r\n")
        assert api.read_response()[0] == 503
        status, body = page.read_response()
        assert (status, b'lang="cs"' in body) == (503, True)
        logged = {line["request_id"] for line in server.read_log("request_refused")}
        assert logged >= {client.headers["X-Request-ID"] for client in (api, page)}

    @pytest.mark.parametrize(
        "sent",
        [
            b"GET / HTTP/1.1\r\nHost: a\r\n" + BAD_TYPE + b"\r\n\r\n",
            b"GET /?" + b"a&" * 1100 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
            b"garbage\r\n\r\n",
        ],
    )
    @pytest.mark.usefixtures("_full_queue")
    def test_refused_request_that_nobody_can_read_harms_no_other(self, server: Server, sent: bytes) -> None:
        assert server.connect(sent).read_response()[0] == 503

    def test_request_that_waited_too_long_is_refused(self, server: Server) -> None:
        held, gone, queued = server.hold(), server.connect(API_REQUEST), server.connect(REQUEST)
        server.wait_for_requests()
        gone.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        gone.close()  # which harms no other
        assert queued.read_response()[0] == 503
        server.release()
        assert held.read_response()[0] == 200

    def test_large_request_waits_longer_for_the_one_before(self, server: Server) -> None:
        server.held.touch()
        large = b"POST /held HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100_000
        _first, second = server.connect(large), server.connect(large)
        time.sleep(2.5)
        server.release()
        assert second.read_response()[0] == 200

    @pytest.mark.parametrize("path", ["/healthz", "/readyz"])
    @pytest.mark.usefixtures("_full_queue")
    def test_probe_is_answered(self, server: Server, path: str) -> None:
        server.connect(f"GET {path} HTTP/1.1\r\n".encode())  # incomplete
        assert server.get(path) == 200


def database_url() -> str:
    config = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{config['NAME']}"
    host = connection.get_connection_params()["host"]
    return f"postgres://{config['USER']}@/{config['NAME']}?host={host}"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_worker_sends_mails_purges_expired_data_and_stops_on_a_signal(tmp_path: Path) -> None:
    changes = {"DATABASE_URL": database_url(), "EMAIL_URL": f"filemail:///{tmp_path / 'mails'}"}
    with processes.running(log := tmp_path / "worker.log", "worker", **changes) as worker:
        wait_until(lambda: '"worker_started"' in log.read_text(), "the worker has started")
        context = {"unsubscribe_url": "x"}
        outbox.enqueue("newsletter/already_subscribed", to="a@example.org", language="en", context=context)
        wait_until(lambda: OutboxEmail.objects.get().state == MailState.SENT, "the mail is sent")
        wait_until(Job.objects.filter(state=JobState.DONE).exists, "retention has run")
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert '"worker_ended"' in log.read_text()
    (mail,) = (tmp_path / "mails").iterdir()
    assert "To: a@example.org" in mail.read_text(encoding="utf-8")


@pytest.mark.parametrize("is_embedded", [True, False])
def test_web_process_watches_the_queues_and_does_the_background_work_if_it_is_embedded(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, is_embedded: bool
) -> None:
    settings.EMBEDDED_WORKER = is_embedded
    thread = mock.Mock()
    monkeypatch.setattr("threading.Thread", thread)
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    web_process = SimpleNamespace()
    configuration["post_worker_init"](web_process)
    configuration["worker_exit"](None, web_process)
    names = [call.kwargs["name"] for call in thread.call_args_list]
    assert names == [JOBS, MAILS] * is_embedded + ["status-monitor"]
    assert thread.return_value.start.call_count == thread.return_value.join.call_count == len(names)


def test_worker_that_waits_for_its_mails_is_not_killed() -> None:
    """What it has not recorded would be sent again."""
    configuration = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    assert (
        configuration["timeout"]
        > configuration["graceful_timeout"]
        > sender.JOIN_SECONDS
        > sender.DRAIN_SECONDS
    )
