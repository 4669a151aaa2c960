"""The main thread reads and writes, threads run the application, and every wait has a bound."""

import select
import signal
import socket
import threading
import time
from types import SimpleNamespace

import pytest
from django.test import override_settings

from sailing.server.connection import MAX_BODY_SIZE, MAX_HEAD_SIZE
from sailing.server.worker import (
    ACCEPTED_AT_ONCE,
    HEAD_SECONDS,
    LINGER_SECONDS,
    MAX_QUEUED_REQUESTS,
    PROBE_SECONDS,
    QUEUE_SECONDS,
    REQUEST_SECONDS,
    RESPONSE_SECONDS,
    STOP_IDLE_SECONDS,
)
from tests.faults.programs import wait_until
from tests.server.conftest import LARGE, TIMEOUT_SECONDS, Site

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx"


class TestSlowSenders:
    @pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY])
    def test_they_hold_no_thread(self, site: Site, sent: bytes) -> None:
        for _number in range(8):
            site.connect().socket.sendall(sent)
        site.wait_for_connections(8)
        assert site.get() == 200
        assert site.bodies == [b""]

    def test_a_head_has_a_deadline(self, site: Site) -> None:
        client = site.send_part(HALF_HEAD)
        site.advance(HEAD_SECONDS)
        assert client.read_status() == 408

    def test_a_head_byte_by_byte_does_not_move_its_deadline(self, site: Site) -> None:
        client = site.send_part(HALF_HEAD)
        for second in range(1, int(HEAD_SECONDS)):
            site.advance(1)
            client.socket.sendall(b"h")
            site.wait_until_received(client, len(HALF_HEAD) + second)
        site.advance(1)
        assert client.read_status() == 408

    def test_the_head_of_a_second_request_has_a_deadline_of_its_own(self, site: Site) -> None:
        client = site.connect("GET / HTTP/1.1")
        assert client.read_status() == 200
        site.wait_for_main_thread()
        site.advance(TIMEOUT_SECONDS - 1)
        client.socket.sendall(HALF_HEAD)
        site.wait_until_received(client, len(HALF_HEAD))
        site.advance(HEAD_SECONDS - 1)
        client.socket.sendall(b"host\r\n\r\n")
        assert client.read_status() == 200

    def test_a_body_has_a_deadline(self, site: Site) -> None:
        client = site.send_part(HALF_BODY)
        site.advance(REQUEST_SECONDS - 1)
        site.advance(1)
        assert client.read_status() == 408
        assert not site.bodies

    def test_a_body_that_arrives_in_time_is_answered(self, site: Site) -> None:
        client = site.send_part(HALF_BODY)
        site.advance(REQUEST_SECONDS - 1)
        client.socket.sendall(b"x" * 999)
        assert client.read_status() == 200
        assert site.bodies == [b"x" * 1000]

    def test_a_silent_client_is_closed(self, site: Site) -> None:
        client = site.connect()
        site.wait_for_connections(1)
        site.wait_for_main_thread()
        site.advance(HEAD_SECONDS)
        assert client.received.read() == b""

    def test_an_idle_client_is_closed(self, site: Site) -> None:
        client = site.connect("GET / HTTP/1.1")
        assert client.read_status() == 200
        site.wait_for_main_thread()
        site.advance(TIMEOUT_SECONDS)
        assert client.received.read() == b""


class TestSlowReaders:
    @pytest.mark.parametrize("path", ["/large", "/large-file", "/large-range"])
    def test_they_hold_no_thread(self, site: Site, path: str) -> None:
        for _number in range(4):
            site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
            site.wait_for(path)
        assert site.get() == 200

    @pytest.mark.parametrize("path", ["/large", "/large-file", "/large-range", "/large-stream"])
    def test_they_get_all_of_a_response_when_they_read_in_time(self, site: Site, path: str) -> None:
        client = site.connect(f"GET {path} HTTP/1.1", "GET / HTTP/1.1")
        site.wait_for(path)
        site.advance(RESPONSE_SECONDS - 1)
        assert len(client.read_response()[1]) == LARGE
        assert client.read_status() == 200

    @pytest.mark.parametrize("path", ["/large", "/large-file", "/large-range", "/large-stream"])
    def test_a_response_has_a_deadline(self, site: Site, path: str) -> None:
        client = site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
        site.wait_for(path)
        site.wait_until_sending()
        site.advance(RESPONSE_SECONDS)
        site.wait_for_connections(0)
        assert len(client.received.read()) < LARGE
        assert site.get() == 200

    def test_a_stream_does_not_fill_the_memory(self, site: Site) -> None:
        site.connect("GET /large-stream HTTP/1.1", receive_buffer=1024)
        site.wait_until_sending()
        assert all(each.unsent.size < 1_000_000 for each in site.list_waiting())

    def test_a_range_is_sent_as_it_was_asked_for(self, site: Site) -> None:
        client = site.connect("GET /large-range HTTP/1.1", "GET / HTTP/1.1")
        assert client.read_response()[1] == bytes(LARGE)
        assert client.read_status() == 200

    def test_a_stream_that_is_not_read_costs_no_time(self, site: Site) -> None:
        site.connect("GET /large-stream HTTP/1.1", receive_buffer=1024)
        site.wait_until_sending()
        site.wait_for_main_thread()
        turns = site.worker.turns
        time.sleep(0.3)
        assert site.worker.turns <= turns + 2  # the loop wakes twice a second by itself

    def test_a_client_that_leaves_ends_the_stream(self, site: Site) -> None:
        client = site.connect("GET /large-stream HTTP/1.1", receive_buffer=1024)
        site.wait_until_sending()
        client.close()
        site.wait_for_connections(0)
        assert site.get() == 200


class TestLimitsOnConnections:
    def test_one_client_loses_its_oldest_connection(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
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

    def test_behind_a_proxy_connections_are_not_counted_by_client(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
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

    def test_all_clients_together_have_a_limit(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sailing.server.worker.MAX_WAITING", 2)
        first = site.connect()
        site.wait_for_connections(1)
        for _number in range(2):
            site.connect()
        assert first.received.read() == b""

    def test_bytes_in_memory_have_a_limit(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sailing.server.worker.MAX_BUFFERED_SIZE", 100_000)
        small, large = site.connect(), site.connect()
        small.socket.sendall(HALF_BODY)
        large.socket.sendall(b"POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n" + b"x" * 150_000)
        wait_until(lambda: sum(len(each.received) for each in site.list_waiting()) > 150_000, "it is there")
        site.advance(1)
        assert large.is_closed() or large.received.read() == b""
        assert site.worker.open_connections == 1


class TestRefusedRequests:
    """What gunicorn cannot parse, or the site does not take, is refused with all of the site's headers."""

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
    def test_status_and_headers(self, site: Site, sent: bytes, status: int) -> None:
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
    def test_a_body_is_never_taken_for_a_request(self, site: Site, line: str) -> None:
        client = site.connect()
        inner = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.socket.sendall(f"POST / HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n".encode() + inner)
        assert client.read_status() == 400
        assert client.received.read() == b""
        assert site.started.empty()

    def test_an_error_of_the_application_is_500(self, site: Site) -> None:
        client = site.connect("GET /failing HTTP/1.1")
        assert client.read_status() == 500
        assert client.headers["X-Request-ID"]
        assert site.get() == 200

    def test_an_error_in_the_middle_of_a_response_ends_it(self, site: Site) -> None:
        client = site.connect("GET /breaking HTTP/1.1")
        assert client.received.read().count(b"HTTP/1.1") == 1
        assert site.get() == 200


class TestRequests:
    def test_a_response_does_not_name_the_server(self, site: Site) -> None:
        client = site.connect("GET / HTTP/1.1")
        assert client.read_status() == 200
        assert client.headers["Server"] is None

    def test_no_header_names_the_path_of_the_site(self, site: Site) -> None:
        assert site.connect("GET /x HTTP/1.1\r\nSCRIPT_NAME: /x\r\nPATH_INFO: /y").read_status() == 200
        assert (site.environ["SCRIPT_NAME"], site.environ["PATH_INFO"]) == ("", "/x")

    def test_requests_in_one_packet_are_answered_in_their_order(self, site: Site) -> None:
        client = site.connect("GET /a HTTP/1.1", "GET /b HTTP/1.1", "GET /healthz HTTP/1.1")
        assert [client.read_status() for _response in range(3)] == [200, 200, 200]
        assert [site.started.get_nowait() for _request in range(3)] == ["/a", "/b", "/healthz"]

    def test_a_body_that_waits_for_100_continue_is_asked_for_once(self, site: Site) -> None:
        client = site.connect("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3")
        assert client.received.readline() == b"HTTP/1.1 100 Continue\r\n"
        assert client.received.readline() == b"\r\n"
        client.socket.sendall(b"abc")
        assert client.read_status() == 200
        assert site.bodies == [b"abc"]

    def test_empty_lines_before_a_request_are_ignored(self, site: Site) -> None:
        client = site.connect()
        client.socket.sendall(b"\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.read_status() == 200

    def test_a_client_that_has_ended_its_side_is_answered(self, site: Site) -> None:
        client = site.connect("GET /held HTTP/1.1")
        site.wait_for("/held")
        client.socket.shutdown(socket.SHUT_WR)
        site.release()
        assert client.read_status() == 200


class TestClosing:
    def test_a_client_that_does_not_close_is_closed_after_a_while(self, site: Site) -> None:
        polite = site.connect("GET / HTTP/1.1\r\nConnection: close")
        malformed = site.connect("garbage")
        assert (polite.read_status(), malformed.read_status()) == (200, 400)
        site.advance(LINGER_SECONDS - 1)
        assert site.worker.open_connections == 2
        assert site.get() == 200
        site.advance(LINGER_SECONDS)
        wait_until(polite.is_closed, "the client sees it")

    def test_a_client_that_closes_is_closed_at_once(self, site: Site) -> None:
        client = site.connect("GET / HTTP/1.1\r\nConnection: close")
        assert client.read_status() == 200
        client.close()
        site.wait_for_connections(0)

    def test_a_client_that_is_gone_before_its_response_is_counted_once(self, site: Site) -> None:
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

    def test_they_do_not_wait_for_requests(self, site: Site, path: str) -> None:
        site.hold()
        assert site.get(path) == 200

    def test_half_a_probe_delays_no_other(self, site: Site, path: str) -> None:
        for _number in range(3):
            site.connect().socket.sendall(f"GET {path} HTTP/1.1\r\n".encode())
        site.wait_for_connections(3)
        assert site.get(path) == 200

    def test_a_probe_whose_response_is_not_read_delays_no_other(self, site: Site, path: str) -> None:
        site.large.add(path)
        site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
        site.wait_for(path)
        site.large.clear()
        assert site.get(path) == 200

    def test_its_response_has_a_deadline(self, site: Site, path: str) -> None:
        site.large.add(path)
        site.connect(f"GET {path} HTTP/1.1", receive_buffer=1024)
        site.wait_for(path)
        site.wait_until_sending()
        site.advance(PROBE_SECONDS)
        site.wait_for_connections(0)

    def test_the_two_do_not_wait_for_each_other(self, site: Site, path: str) -> None:
        (other,) = {"/healthz", "/readyz"} - {path}
        site.held.add(other)
        site.connect(f"GET {other} HTTP/1.1")
        site.wait_for(other)
        assert site.get(path) == 200

    def test_past_their_own_queue_they_join_the_requests(self, site: Site, path: str) -> None:
        site.held.add(path)
        probes = [site.connect(f"GET {path} HTTP/1.1") for _number in range(1 + MAX_QUEUED_REQUESTS)]
        wait_until(lambda: site.worker.probes[path].is_full, "its lane is full")
        site.wait_for(path)
        one_more = site.connect(f"GET {path} HTTP/1.1")
        site.wait_for(path)
        site.released.release(2 + MAX_QUEUED_REQUESTS)
        assert {client.read_status() for client in [*probes, one_more]} == {200}


class TestLoadShedding:
    @pytest.fixture(autouse=True)
    def full(self, site: Site) -> None:
        site.hold()
        site.worker.requests.max_requests = 1

    def test_a_request_past_the_queue_is_refused(self, site: Site) -> None:
        client = site.connect("POST /graphql HTTP/1.1\r\nContent-Length: 2")
        client.socket.sendall(b"{}")
        status, body = client.read_response()
        assert status == 503
        assert b"UNAVAILABLE" in body
        wait_until(client.is_closed, "nothing is waited for")

    def test_a_large_request_is_read_to_its_end_before_it_is_refused(self, site: Site) -> None:
        """Else the client, which still sends, is reset and never sees the response."""
        client = site.connect("POST /graphql HTTP/1.1\r\nContent-Length: 200000")
        for _packet in range(4):
            client.socket.sendall(b"x" * 50_000)
        assert client.read_status() == 503

    def test_many_are_refused_in_one_turn(self, site: Site) -> None:
        goes_on = threading.Event()
        site.worker._call(goes_on.wait)
        crowd = [site.connect("GET / HTTP/1.1") for _number in range(ACCEPTED_AT_ONCE)]
        accepts = site.worker.accepts
        goes_on.set()
        assert {client.read_status() for client in crowd} == {503}
        assert site.worker.accepts == accepts + 1

    def test_the_log_names_each(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
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

    def test_a_request_that_waited_too_long_is_refused(self, site: Site) -> None:
        site.worker.requests.max_requests = 2
        waiting = site.connect("GET / HTTP/1.1")
        wait_until(lambda: len(site.worker.requests.admitted) == 2, "it waits")
        site.advance(QUEUE_SECONDS)
        assert waiting.read_status() == 503


class TestStopping:
    def test_requests_that_have_begun_are_answered(self, site: Site) -> None:
        stopped = threading.Event()
        site.worker.background_threads = [SimpleNamespace(stop=stopped.set)]
        held, half = site.hold(), site.send_part(HALF_BODY)
        site.worker.handle_exit(signal.SIGTERM, None)
        assert stopped.wait(TIMEOUT_SECONDS)
        site.release()
        half.socket.sendall(b"x" * 999)
        assert (held.read_status(), half.read_status()) == (200, 200)
        assert half.headers["Connection"] == "close"

    def test_a_new_connection_is_not_taken(self, site: Site) -> None:
        held = site.hold()
        site.worker.handle_exit(signal.SIGTERM, None)
        site.wait_for_main_thread()
        late = site.connect("GET / HTTP/1.1")
        assert not select.select([late.socket], [], [], 0.2)[0]
        site.release()
        assert held.read_status() == 200

    def test_an_idle_client_is_waited_for_briefly(self, site: Site) -> None:
        idle = site.connect("GET / HTTP/1.1")
        assert idle.read_status() == 200
        site.wait_for_main_thread()
        site.worker.handle_exit(signal.SIGTERM, None)
        idle.send("GET / HTTP/1.1")
        assert idle.read_status() == 200
        assert idle.headers["Connection"] == "close"

    def test_an_idle_client_does_not_keep_the_process(self, site: Site) -> None:
        idle = site.connect("GET / HTTP/1.1")
        assert idle.read_status() == 200
        site.wait_for_main_thread()
        site.worker.handle_exit(signal.SIGTERM, None)
        wait_until(lambda: site.has_stopped_after(STOP_IDLE_SECONDS), "it stops", TIMEOUT_SECONDS)

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
    def test_ctrl_c_answers_what_has_begun_too(self, site: Site, number: signal.Signals) -> None:
        held = site.hold()
        site.worker.handle_quit(number, None)
        site.worker.handle_quit(number, None)
        site.release()
        assert held.read_status() == 200
        wait_until(lambda: site.has_stopped_after(STOP_IDLE_SECONDS), "it stops", TIMEOUT_SECONDS)
