"""Slow clients hold no thread, every wait has a limit, load is shed, and only gunicorn reads requests."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sailing.server.tests.application import LARGE
from sailing.server.tests.conftest import Server, running_server
from sailing.server.worker import MAX_BODY_SIZE, MAX_HEAD_SIZE, PEEK_SIZE
from tests.processes import children, wait_until

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
        event = "application_failed" if status == 500 else "request_refused"
        line = server.read_log(event)[-1]
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
        for pid in (*children(server.process.pid), server.process.pid):
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

    @pytest.mark.parametrize("path", ["/healthz", "/readyz"])
    @pytest.mark.usefixtures("_full_queue")
    def test_probe_is_answered(self, server: Server, path: str) -> None:
        server.connect(f"GET {path} HTTP/1.1\r\n".encode())  # incomplete
        assert server.get(path) == 200
