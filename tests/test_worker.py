"""Nobody holds a thread for good, nor the one that accepts; and who cannot be served is told so."""

import select
import signal
import socket
import threading
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from sailing.closing import LINGER, MOST
from sailing.worker import (
    ACCEPTED_AT_ONCE,
    DEADLINE,
    LONGEST_ANSWER,
    LONGEST_PROBE,
    LONGEST_WAIT,
    MOST_WAITING,
)
from tests.faults.programs import wait_until
from tests.worker_here import LARGE, PATIENCE, Site, site

__all__ = ["site"]

HALF = b"GET / HTTP/1.1\r\nHost: local"


class TestHoldingAThread:
    def test_reading_ends_at_the_deadline(self, site: Site) -> None:
        slow = site.connect()
        slow.socket.sendall(HALF)
        wait_until(lambda: site.worker.ends, "it holds the thread")
        site.later(DEADLINE)
        assert slow.socket.recv(100) == b""
        assert site.ask() == 200

    def test_before_it_a_slow_client_is_waited_for(self, site: Site) -> None:
        slow = site.connect()
        slow.socket.sendall(HALF)
        wait_until(lambda: site.worker.ends, "it holds the thread")
        site.later(DEADLINE - 1)
        slow.socket.sendall(b"host\r\n\r\n")
        assert slow.answer()[0] == 200

    @pytest.mark.parametrize("path", ["/large", "/large-file"])
    def test_an_answer_under_way_is_written_on_after_it(self, site: Site, path: str) -> None:
        slow = site.connect(f"GET {path} HTTP/1.1")
        site.wait_for(path)
        site.later(LONGEST_ANSWER - 1)
        assert len(slow.answer()[1]) == LARGE

    @pytest.mark.parametrize("path", ["/large", "/large-file"])
    def test_but_not_for_ever_to_who_does_not_read(self, site: Site, path: str) -> None:
        site.connect(f"GET {path} HTTP/1.1")
        site.wait_for(path)
        site.later(LONGEST_ANSWER)
        assert site.ask() == 200

    def test_a_client_that_has_gone_disturbs_nobody(self, site: Site) -> None:
        gone = socket.socket()
        gone.close()
        site.worker.ends[Mock(sock=gone)] = (0.0, 0.0)
        site.later(DEADLINE)
        assert site.ask() == 200

    def test_a_silent_client_holds_none(self, site: Site) -> None:
        for _number in range(8):
            site.connect()
        assert site.ask() == 200
        assert site.worker.nr_conns == 9


class TestClosing:
    def test_a_client_that_does_not_close_holds_up_nobody(self, site: Site) -> None:
        open_still = site.connect("GET / HTTP/1.1\r\nConnection: close")
        garbage = site.connect("garbage")
        assert (open_still.answer()[0], garbage.answer()[0]) == (200, 400)
        for connection in (open_still, garbage):
            site.wait_until_it_lingers(connection)
        assert site.ask() == 200
        assert not open_still.is_closed()
        assert not garbage.is_closed()

    def test_it_is_closed_after_a_while(self, site: Site) -> None:
        connection = site.connect("GET / HTTP/1.1\r\nConnection: close")
        assert connection.answer()[0] == 200
        site.wait_until_it_lingers(connection)
        site.later(LINGER - 0.1)
        assert site.worker.nr_conns == 1
        site.later(0.1)
        site.wait_until_all_is_closed()
        wait_until(connection.is_closed, "the client sees it")

    def test_or_as_soon_as_the_client_ends(self, site: Site) -> None:
        connection = site.connect("GET / HTTP/1.1\r\nConnection: close")
        assert connection.answer()[0] == 200
        connection.close()
        site.wait_until_all_is_closed()

    def test_a_client_that_has_gone_meanwhile_is_counted_once(self, site: Site) -> None:
        connection = site.hold()
        linger = b"\1\0\0\0\0\0\0\0"  # closed with a reset
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        connection.close()
        site.release()
        site.wait_until_all_is_closed()
        assert site.ask() == 200

    def test_of_too_many_the_one_that_waited_longest_is_closed(
        self, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert MOST > ACCEPTED_AT_ONCE
        monkeypatch.setattr("sailing.closing.MOST", 2)
        connections = []
        for open_now in (1, 2, 2):
            connections.append(site.connect("GET / HTTP/1.1\r\nConnection: close"))
            assert connections[-1].answer()[0] == 200
            site.wait_until_it_lingers(connections[-1])
            assert len(site.worker.closing.ends) == open_now
        wait_until(connections[0].is_closed, "the first is closed")
        for connection in connections[1:]:
            assert not connection.is_closed()


class TestProbes:
    @pytest.fixture(params=["/healthz", "/readyz"])
    def path(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def test_they_wait_for_nobody(self, site: Site, path: str) -> None:
        site.hold()
        assert site.ask(path) == 200

    def test_one_that_does_not_come_to_its_end_holds_up_no_other(self, site: Site, path: str) -> None:
        for _number in range(3):
            site.connect().socket.sendall(f"GET {path} HTTP/1.1\r\n".encode())
        wait_until(lambda: site.worker.requests.admitted, "they have come")
        assert site.ask(path) == 200

    def test_nor_does_one_whose_answer_nobody_reads(self, site: Site, path: str) -> None:
        site.large.add(path)
        site.connect(f"GET {path} HTTP/1.1")
        site.wait_for(path)
        site.later(LONGEST_PROBE)
        site.wait_until_all_is_closed()

    def test_the_two_do_not_wait_for_each_other(self, site: Site, path: str) -> None:
        (other,) = {"/healthz", "/readyz"} - {path}
        site.held.add(other)
        site.connect(f"GET {other} HTTP/1.1")
        site.wait_for(other)
        assert site.ask(path) == 200

    def test_past_those_who_may_wait_they_come_as_everybody(self, site: Site, path: str) -> None:
        site.held.add(path)
        probes = [site.connect(f"GET {path} HTTP/1.1") for _number in range(1 + MOST_WAITING)]
        wait_until(lambda: site.worker.probes[path].is_full, "its lane is full")
        site.wait_for(path)
        one_more = site.connect(f"GET {path} HTTP/1.1")
        site.wait_for(path)
        site.released.release(2 + MOST_WAITING)
        assert {connection.answer()[0] for connection in [*probes, one_more]} == {200}


class TestRefusing:
    @pytest.fixture(autouse=True)
    def full(self, site: Site) -> None:
        site.hold()
        site.worker.requests.most = 1

    def test_what_is_still_under_way_is_no_reason_to_lose_the_answer(self, site: Site) -> None:
        poster = site.connect("POST /graphql HTTP/1.1\r\nContent-Length: 9000")
        select.select([poster.socket], [], [], 10)
        for _packet in range(3):
            poster.socket.sendall(b"x" * 3000)
        status, body = poster.answer()
        assert status == 503
        assert b"UNAVAILABLE" in body
        assert poster.received.read() == b""
        poster.close()
        wait_until(lambda: site.worker.nr_conns == 1, "it is closed")

    def test_nothing_is_waited_for_when_nothing_is_to_come(self, site: Site) -> None:
        visitor = site.connect("GET / HTTP/1.1")
        assert visitor.answer()[0] == 503
        wait_until(lambda: site.worker.nr_conns == 1, "it is closed")
        wait_until(visitor.is_closed, "the client sees it")

    def test_many_are_refused_in_a_row(self, site: Site) -> None:
        """Of which one is still sending."""
        goes_on = threading.Event()
        site.worker.method_queue.defer(goes_on.wait)
        crowd = [site.connect("GET / HTTP/1.1") for _number in range(ACCEPTED_AT_ONCE - 1)]
        poster = site.connect("POST /graphql HTTP/1.1\r\nContent-Length: 6000")
        before = site.worker.tellings
        goes_on.set()
        assert {visitor.answer()[0] for visitor in crowd} == {503}
        select.select([poster.socket], [], [], 10)
        for _packet in range(2):
            poster.socket.sendall(b"x" * 3000)
        assert poster.answer()[0] == 503
        assert site.worker.tellings == before + 1
        assert site.worker.requests.is_full

    def test_the_log_tells_of_each(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        told: list[str] = []

        def warning(_event: str, *, refused: int, request_ids: list[str]) -> None:
            assert refused == len(request_ids)
            told.extend(request_ids)

        monkeypatch.setattr("sailing.worker.logger", SimpleNamespace(warning=warning))
        visitors = [site.connect("GET / HTTP/1.1") for _number in range(2)]
        heads = [visitor.received.read().decode() for visitor in visitors]
        site.later(1)
        ids = [head.partition("X-Request-ID: ")[2].partition("\r\n")[0] for head in heads]
        assert told == ids
        assert len(set(ids)) == 2


class TestRequestsBehindAnother:
    """What came in one packet with the request before it is no longer on the connection."""

    def test_one_is_told_that_it_is_refused(self, site: Site) -> None:
        both = site.hold("GET /second HTTP/1.1")
        site.worker.requests.most = 0
        site.release()
        assert [both.answer()[0] for _answer in range(2)] == [200, 503]

    def test_and_so_is_one_that_waited_long(self, site: Site) -> None:
        both = site.hold("GET /second HTTP/1.1")
        other = site.connect("GET /held HTTP/1.1")
        wait_until(lambda: len(site.worker.requests.admitted) == 2, "another waits")
        site.release()
        site.wait_for("/held")
        site.wait_for_main()
        assert len(site.worker.requests.admitted) == 2  # the second waits behind it
        site.later(LONGEST_WAIT)
        assert [both.answer()[0] for _answer in range(2)] == [200, 503]
        site.release()
        assert other.answer()[0] == 200

    def test_none_is_taken_for_a_probe_that_comes_after_it(self, site: Site) -> None:
        both = site.hold("GET /second HTTP/1.1")
        both.send("GET /healthz HTTP/1.1")
        site.worker.requests.most = 0
        site.release()
        assert [both.answer()[0] for _answer in range(2)] == [200, 503]


def test_told_to_end_no_mail_is_begun_while_requests_are_answered(site: Site) -> None:
    stopped = threading.Event()
    site.worker.sender = SimpleNamespace(stop=stopped.set)
    visitor = site.hold()
    site.worker.handle_exit(15, None)
    assert stopped.wait(10)
    assert site.thread.is_alive()
    site.release()
    assert visitor.answer()[0] == 200


def test_ctrl_c_waits_for_no_lock_and_what_was_begun_is_answered(site: Site) -> None:
    """It may come in the midst of anything: of another Ctrl+C, or while a request is given to a thread."""
    held = site.hold()
    with site.worker.tpool._shutdown_lock:
        heard = threading.Thread(target=site.worker.handle_quit, args=(signal.SIGINT, None), daemon=True)
        heard.start()
        heard.join(PATIENCE)
        assert not heard.is_alive()
    site.release()
    assert held.answer()[0] == 200
    site.thread.join(PATIENCE)
    assert not site.thread.is_alive()
