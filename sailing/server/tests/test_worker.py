"""Slow clients hold no thread, every wait has a limit, and load is shed."""

import signal
import socket
import threading
import time
from types import SimpleNamespace

import pytest
from django.test import override_settings

from sailing.server.connection import MAX_BODY_SIZE, MAX_HEAD_SIZE
from sailing.server.tests.conftest import LARGE, TIMEOUT_SECONDS, WorkerSite
from sailing.server.worker import (
    HEAD_SECONDS,
    LINGER_SECONDS,
    MAX_ACCEPTS_IN_A_ROW,
    MAX_QUEUED_REQUESTS,
    PROBE_SECONDS,
    PROGRESS_SIZE,
    QUEUE_SECONDS,
    REQUEST_SECONDS,
    RESPONSE_SECONDS,
    STOP_IDLE_SECONDS,
)
from tests.processes import wait_until

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx"


class TestSlowSenders:
    @pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY])
    def test_slow_client_holds_no_thread(self, site: WorkerSite, sent: bytes) -> None:
        for _number in range(8):
            site.connect().socket.sendall(sent)
        site.wait_for_connections(8)
        assert site.get() == 200
        assert site.bodies == [b""]

    def test_head_has_a_deadline(self, site: WorkerSite) -> None:
        client = site.send_part(HALF_HEAD)
        site.advance(HEAD_SECONDS)
        assert client.read_status() == 408

    def test_sending_byte_by_byte_does_not_extend_the_deadline(self, site: WorkerSite) -> None:
        client = site.send_part(HALF_HEAD)
        for second in range(1, int(HEAD_SECONDS)):
            site.advance(1)
            client.socket.sendall(b"h")
            site.wait_until_received(client, len(HALF_HEAD) + second)
        site.advance(1)
        assert client.read_status() == 408

    def test_second_request_has_its_own_deadline(self, site: WorkerSite) -> None:
        client = site.connect("GET / HTTP/1.1")
        assert client.read_status() == 200
        site.wait_for_main_thread()
        site.advance(TIMEOUT_SECONDS - 1)
        client.socket.sendall(HALF_HEAD)
        site.wait_until_received(client, len(HALF_HEAD))
        site.advance(HEAD_SECONDS - 1)
        client.socket.sendall(b"host\r\n\r\n")
        assert client.read_status() == 200

    def test_body_has_a_deadline(self, site: WorkerSite) -> None:
        client = site.send_part(HALF_BODY)
        site.advance(REQUEST_SECONDS - 1)
        site.advance(1)
        assert client.read_status() == 408
        assert not site.bodies

    def test_body_within_the_deadline_is_answered(self, site: WorkerSite) -> None:
        client = site.send_part(HALF_BODY)
        site.advance(REQUEST_SECONDS - 1)
        client.socket.sendall(b"x" * 999)
        assert client.read_status() == 200
        assert site.bodies == [b"x" * 1000]

    def test_silent_connection_is_closed(self, site: WorkerSite) -> None:
        client = site.connect()
        site.wait_for_connections(1)
        site.wait_for_main_thread()
        site.advance(HEAD_SECONDS)
        assert client.received.read() == b""

    def test_idle_connection_is_closed(self, site: WorkerSite) -> None:
        client = site.connect("GET / HTTP/1.1")
        assert client.read_status() == 200
        site.wait_for_main_thread()
        site.advance(TIMEOUT_SECONDS)
        assert client.received.read() == b""


class TestSlowReaders:
    @pytest.mark.parametrize("path", ["/large", "/large-file", "/large-range"])
    def test_slow_client_holds_no_thread(self, site: WorkerSite, path: str) -> None:
        for _number in range(4):
            site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
            site.wait_for(path)
        assert site.get() == 200

    @pytest.mark.parametrize("path", ["/large", "/large-file", "/large-range", "/large-stream"])
    def test_client_that_reads_in_time_gets_the_whole_response(self, site: WorkerSite, path: str) -> None:
        client = site.connect(f"GET {path} HTTP/1.1", "GET / HTTP/1.1")
        site.wait_for(path)
        site.advance(RESPONSE_SECONDS - 1)
        assert len(client.read_response()[1]) == LARGE
        assert client.read_status() == 200

    @pytest.mark.parametrize("path", ["/large", "/large-file", "/large-range", "/large-stream"])
    def test_response_has_a_deadline(self, site: WorkerSite, path: str) -> None:
        client = site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
        site.wait_for(path)
        site.wait_until_sending()
        site.advance(RESPONSE_SECONDS)
        site.wait_for_connections(0)
        assert len(client.received.read()) < LARGE
        assert site.get() == 200

    def test_client_that_keeps_reading_has_no_deadline_in_total(self, site: WorkerSite) -> None:
        client = site.connect("GET /large-stream HTTP/1.1", receive_buffer=4096)
        site.wait_for("/large-stream")
        while client.received.readline() != b"\r\n":
            pass
        received = 0
        while received < LARGE:
            received += len(client.received.read(min(2 * PROGRESS_SIZE, LARGE - received)))
            if received < LARGE:
                site.wait_until_sending()
                site.advance(RESPONSE_SECONDS - 1)
        assert received == LARGE

    def test_client_that_reads_too_slowly_is_ended(self, site: WorkerSite) -> None:
        client = site.connect("GET /large-stream HTTP/1.1", receive_buffer=4096)
        site.wait_for("/large-stream")
        for _second in range(int(RESPONSE_SECONDS)):
            client.received.read(PROGRESS_SIZE // 100)
            site.advance(1)
        site.wait_for_connections(0)
        assert site.get() == 200

    def test_stream_is_not_buffered_without_limit(self, site: WorkerSite) -> None:
        site.connect("GET /large-stream HTTP/1.1", receive_buffer=1024)
        site.wait_until_sending()
        assert all(each.unsent.size < 1_000_000 for each in site.list_waiting())

    def test_range_of_a_file_is_sent_exactly(self, site: WorkerSite) -> None:
        client = site.connect("GET /large-range HTTP/1.1", "GET / HTTP/1.1")
        assert client.read_response()[1] == bytes(LARGE)
        assert client.read_status() == 200

    def test_unread_stream_does_not_spin_the_main_loop(self, site: WorkerSite) -> None:
        site.connect("GET /large-stream HTTP/1.1", receive_buffer=1024)
        site.wait_until_sending()
        site.wait_for_main_thread()
        before = site.worker.iterations
        time.sleep(0.3)
        assert site.worker.iterations <= before + 2  # one per SWEEP_SECONDS

    def test_disconnect_ends_a_stream(self, site: WorkerSite) -> None:
        client = site.connect("GET /large-stream HTTP/1.1", receive_buffer=1024)
        site.wait_until_sending()
        client.close()
        site.wait_for_connections(0)
        assert site.get() == 200


class TestLimitsOnConnections:
    def test_client_over_its_limit_loses_its_oldest_connection(
        self, site: WorkerSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sailing.server.worker.MAX_WAITING_PER_CLIENT", 2)
        clients = []
        for number in range(3):
            clients.append(site.connect())
            site.wait_for_connections(min(number + 1, 2))
            site.wait_for_main_thread()
        assert clients[0].received.read() == b""
        clients[1].send("GET / HTTP/1.1")
        assert clients[1].read_status() == 200

    def test_limit_per_client_is_off_behind_a_proxy(
        self, site: WorkerSite, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sailing.server.worker.MAX_WAITING_PER_CLIENT", 2)
        with override_settings(TRUSTED_PROXY_COUNT=1):
            clients = [site.connect() for _number in range(3)]
            site.wait_for_connections(3)
            for client in clients:
                client.send("GET / HTTP/1.1")
                assert client.read_status() == 200
                client.close()
            site.wait_for_connections(0)

    def test_all_connections_are_limited(self, site: WorkerSite, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sailing.server.worker.MAX_WAITING", 2)
        first = site.connect()
        site.wait_for_connections(1)
        for _number in range(2):
            site.connect()
        assert first.received.read() == b""

    def test_buffered_bytes_are_limited(self, site: WorkerSite, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sailing.server.worker.MAX_BUFFERED_SIZE", 100_000)
        small, large = site.connect(), site.connect()
        small.socket.sendall(HALF_BODY)
        large.socket.sendall(b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 150_000)
        wait_until(lambda: sum(len(each.received) for each in site.list_waiting()) > 150_000, "it is there")
        site.advance(1)
        assert large.is_closed() or large.received.read() == b""
        assert site.worker.open_connections == 1


class TestRefusedRequests:
    @pytest.mark.parametrize(
        ("sent", "status"),
        [
            (b"garbage\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\n\r\n", 400),  # RFC 9112 section 3.2: Host is required
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length : 5\r\n\r\n", 400),
            (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : x\r\n\r\n", 411),
            (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY_SIZE + 1), 413),
            (b"GET /%s HTTP/1.1\r\nHost: a\r\n\r\n" % (b"a" * 5000), 414),
            (b"GET / HTTP/1.1\r\nHost: a\r\nExpect: the best\r\n\r\n", 417),
            (b"GET / HTTP/1.1\r\nHost: a\r\nX: %s\r\n\r\n" % (b"a" * 9000), 431),
            (b"GET / HTTP/1.1\r\nHost: a\r\nX: %s" % (b"a" * MAX_HEAD_SIZE), 431),
        ],
    )
    def test_refusal_has_its_status_and_all_headers(self, site: WorkerSite, sent: bytes, status: int) -> None:
        client = site.connect()
        client.socket.sendall(sent)
        assert client.read_status() == status
        assert "default-src 'none'" in client.headers["Content-Security-Policy"]
        assert client.headers["X-Content-Type-Options"] == "nosniff"
        assert client.headers["Cache-Control"] == "no-store"
        assert client.headers["X-Request-ID"]
        assert client.headers["Date"]
        assert client.headers["Connection"] == "close"
        assert client.headers["Server"] is None
        assert site.bodies == []

    @pytest.mark.parametrize(
        "line",
        [
            "Content-Length: 0000000000000042",
            "Content-Length: +42",
            "Content-Length: 4 2",
            "Content-Length: 42, 42",
            "Content-Length: 0x2a",
            "Content-Length:",
            "Content-Length\t: 42",
            "Content-Length: 0\r\nContent-Length: 42",
            "X: y\nContent-Length: 42",
            "X: y\r\n Content-Length: 42",
        ],
    )
    def test_smuggled_request_is_never_served(self, site: WorkerSite, line: str) -> None:
        client = site.connect()
        inner = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.socket.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n".encode() + inner)
        assert client.read_status() == 400
        assert client.received.read() == b""
        assert site.started.empty()

    def test_application_error_is_answered_with_500(self, site: WorkerSite) -> None:
        client = site.connect("GET /failing HTTP/1.1")
        assert client.read_status() == 500
        assert client.headers["X-Request-ID"]
        assert site.get() == 200

    def test_error_within_a_response_closes_the_connection(self, site: WorkerSite) -> None:
        client = site.connect("GET /breaking HTTP/1.1")
        assert client.received.read().count(b"HTTP/1.1") == 1
        assert site.get() == 200


class TestRequests:
    def test_response_has_no_server_header(self, site: WorkerSite) -> None:
        client = site.connect("GET / HTTP/1.1")
        assert client.read_status() == 200
        assert client.headers["Server"] is None

    def test_headers_cannot_set_wsgi_path_variables(self, site: WorkerSite) -> None:
        assert site.connect("GET /x HTTP/1.1\r\nSCRIPT_NAME: /x\r\nPATH_INFO: /y").read_status() == 200
        assert (site.environ["SCRIPT_NAME"], site.environ["PATH_INFO"]) == ("", "/x")

    def test_pipelined_requests_are_answered_in_order(self, site: WorkerSite) -> None:
        client = site.connect("GET /a HTTP/1.1", "GET /b HTTP/1.1", "GET /healthz HTTP/1.1")
        assert [client.read_status() for _response in range(3)] == [200, 200, 200]
        assert [site.started.get_nowait() for _request in range(3)] == ["/a", "/b", "/healthz"]

    def test_100_continue_is_sent_once(self, site: WorkerSite) -> None:
        client = site.connect("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3")
        assert client.received.readline() == b"HTTP/1.1 100 Continue\r\n"
        assert client.received.readline() == b"\r\n"
        client.socket.sendall(b"abc")
        assert client.read_status() == 200
        assert site.bodies == [b"abc"]

    def test_empty_lines_before_a_request_are_ignored(self, site: WorkerSite) -> None:
        client = site.connect()
        client.socket.sendall(b"\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.read_status() == 200

    def test_half_closed_client_is_answered(self, site: WorkerSite) -> None:
        client = site.connect("GET /held HTTP/1.1")
        site.wait_for("/held")
        client.socket.shutdown(socket.SHUT_WR)
        site.release()
        assert client.read_status() == 200


class TestClosing:
    def test_connection_that_the_client_keeps_open_is_closed(self, site: WorkerSite) -> None:
        polite = site.connect("GET / HTTP/1.1\r\nConnection: close")
        malformed = site.connect("garbage")
        assert (polite.read_status(), malformed.read_status()) == (200, 400)
        site.advance(LINGER_SECONDS - 1)
        assert site.worker.open_connections == 2
        assert site.get() == 200
        site.advance(LINGER_SECONDS)
        wait_until(polite.is_closed, "the client sees it")

    def test_connection_that_the_client_closes_is_closed_at_once(self, site: WorkerSite) -> None:
        client = site.connect("GET / HTTP/1.1\r\nConnection: close")
        assert client.read_status() == 200
        client.close()
        site.wait_for_connections(0)

    def test_client_that_disconnects_before_the_response_is_cleaned_up(self, site: WorkerSite) -> None:
        client = site.hold()
        with_reset = b"\1\0\0\0\0\0\0\0"
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, with_reset)
        client.close()
        site.release()
        site.wait_for_connections(0)
        assert site.get() == 200


class TestProbes:
    @pytest.fixture(params=["/healthz", "/readyz"])
    def path(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def test_probe_is_answered_while_requests_hold_all_threads(self, site: WorkerSite, path: str) -> None:
        site.hold()
        assert site.get(path) == 200

    def test_incomplete_probe_delays_no_other(self, site: WorkerSite, path: str) -> None:
        for _number in range(3):
            site.connect().socket.sendall(f"GET {path} HTTP/1.1\r\n".encode())
        site.wait_for_connections(3)
        assert site.get(path) == 200

    def test_unread_probe_response_delays_no_other(self, site: WorkerSite, path: str) -> None:
        site.large.add(path)
        site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
        site.wait_for(path)
        site.large.clear()
        assert site.get(path) == 200

    def test_probe_response_has_a_deadline(self, site: WorkerSite, path: str) -> None:
        site.large.add(path)
        site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
        site.wait_for(path)
        site.wait_until_sending()
        site.advance(PROBE_SECONDS)
        site.wait_for_connections(0)

    def test_liveness_and_readiness_do_not_wait_for_each_other(self, site: WorkerSite, path: str) -> None:
        (other,) = {"/healthz", "/readyz"} - {path}
        site.held.add(other)
        site.connect(f"GET {other} HTTP/1.1")
        site.wait_for(other)
        assert site.get(path) == 200

    def test_probe_past_its_own_queue_joins_the_requests(self, site: WorkerSite, path: str) -> None:
        site.held.add(path)
        probes = [site.connect(f"GET {path} HTTP/1.1") for _number in range(1 + MAX_QUEUED_REQUESTS)]
        wait_until(lambda: site.worker.probe_pools[path].is_full, "its queue is full")
        site.wait_for(path)
        one_more = site.connect(f"GET {path} HTTP/1.1")
        site.wait_for(path)
        site.released.release(2 + MAX_QUEUED_REQUESTS)
        assert {client.read_status() for client in [*probes, one_more]} == {200}


class TestLoadShedding:
    @pytest.fixture
    def queue_size(self) -> int:
        return 0

    @pytest.fixture(autouse=True)
    def _full(self, site: WorkerSite) -> None:
        site.hold()

    def test_request_past_the_queue_is_refused(self, site: WorkerSite) -> None:
        client = site.connect("POST /graphql HTTP/1.1\r\nContent-Length: 2")
        client.socket.sendall(b"{}")
        status, body = client.read_response()
        assert status == 503
        assert b"UNAVAILABLE" in body
        wait_until(client.is_closed, "the connection is closed")

    def test_large_request_is_read_completely_before_it_is_refused(self, site: WorkerSite) -> None:
        """A reset while the client still sends would hide the response from it."""
        client = site.connect("POST /graphql HTTP/1.1\r\nContent-Length: 200000")
        for _packet in range(4):
            client.socket.sendall(b"x" * 50_000)
        assert client.read_status() == 503

    def test_many_are_refused_in_one_iteration(self, site: WorkerSite) -> None:
        resume = threading.Event()
        site.worker.call_soon(resume.wait)
        crowd = [site.connect("GET / HTTP/1.1") for _number in range(MAX_ACCEPTS_IN_A_ROW)]
        before = site.worker.iterations
        resume.set()
        assert {client.read_status() for client in crowd} == {503}
        assert site.worker.iterations <= before + 3

    def test_refusals_are_logged_together(self, site: WorkerSite, monkeypatch: pytest.MonkeyPatch) -> None:
        logged: list[str] = []

        def warning(_event: str, *, refused: int, request_ids: list[str]) -> None:
            assert refused == len(request_ids)
            logged.extend(request_ids)

        monkeypatch.setattr("sailing.server.worker.logger", SimpleNamespace(warning=warning))
        ids = []
        for _number in range(2):
            client = site.connect("GET / HTTP/1.1")
            client.read_response()
            ids.append(client.headers["X-Request-ID"])
        site.advance(1)
        assert logged == ids
        assert len(set(ids)) == 2

    @pytest.mark.parametrize("queue_size", [1])
    def test_request_that_waits_too_long_is_refused(self, site: WorkerSite) -> None:
        waiting = site.connect("GET / HTTP/1.1")
        wait_until(lambda: site.worker.main_pool.is_full, "the queue is full")
        site.advance(QUEUE_SECONDS)
        assert waiting.read_status() == 503


class TestStopping:
    def test_running_requests_are_answered(self, site: WorkerSite) -> None:
        stopped = threading.Event()
        site.worker.background_worker = SimpleNamespace(stop=stopped.set)
        held, half = site.hold(), site.send_part(HALF_BODY)
        site.worker.handle_exit(signal.SIGTERM, None)
        assert stopped.wait(TIMEOUT_SECONDS)
        site.release()
        half.socket.sendall(b"x" * 999)
        assert (held.read_status(), half.read_status()) == (200, 200)
        assert half.headers["Connection"] == "close"

    def test_new_connection_is_refused(self, site: WorkerSite) -> None:
        held = site.hold()
        site.worker.handle_exit(signal.SIGTERM, None)

        def is_refused() -> bool:
            try:
                socket.create_connection(("127.0.0.1", site.port)).close()
            except ConnectionRefusedError:
                return True
            return False

        wait_until(is_refused, "a new connection is refused", TIMEOUT_SECONDS)
        site.release()
        assert held.read_status() == 200

    def test_connection_made_before_the_signal_is_answered(self, site: WorkerSite) -> None:
        resume = threading.Event()
        site.worker.call_soon(resume.wait)
        early = [site.connect("GET / HTTP/1.1") for _number in range(3)]
        site.worker.handle_exit(signal.SIGTERM, None)
        resume.set()
        assert [client.read_status() for client in early] == [200] * 3

    def test_request_on_an_idle_connection_is_answered(self, site: WorkerSite) -> None:
        idle = site.connect("GET / HTTP/1.1")
        assert idle.read_status() == 200
        site.wait_for_main_thread()
        site.worker.handle_exit(signal.SIGTERM, None)
        idle.send("GET / HTTP/1.1")
        assert idle.read_status() == 200
        assert idle.headers["Connection"] == "close"

    def test_idle_connection_does_not_delay_the_shutdown(self, site: WorkerSite) -> None:
        idle = site.connect("GET / HTTP/1.1")
        assert idle.read_status() == 200
        site.wait_for_main_thread()
        site.worker.handle_exit(signal.SIGTERM, None)
        wait_until(lambda: site.has_stopped_after(STOP_IDLE_SECONDS), "it stops", TIMEOUT_SECONDS)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
    def test_ctrl_c_stops_gracefully_too(self, site: WorkerSite, number: signal.Signals) -> None:
        held = site.hold()
        site.worker.handle_quit(number, None)
        site.worker.handle_quit(number, None)
        site.release()
        assert held.read_status() == 200
        wait_until(lambda: site.has_stopped_after(STOP_IDLE_SECONDS), "it stops", TIMEOUT_SECONDS)
