"""Load that the worker sheds: requests past its queue, and those that waited too long."""

import json
import socket
from itertools import count

import pytest

from sailing.server.tests.conftest import Server
from sailing.server.tests.test_worker import BAD_TYPE, LARGE_BODY, LATE_SECONDS, REQUEST, RESET
from sailing.server.worker import MAX_ACCEPTS_IN_A_ROW, MAX_BODY_SIZE, MAX_QUEUED_REQUESTS, BufferingWorker
from tests.processes import wait_until

API_REQUEST = b"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"


def test_request_past_the_queue_is_refused(server: Server) -> None:
    held, queued = server.hold(), [server.connect(REQUEST) for _number in range(3)]
    wait_until(lambda: server.get("/healthz") == 200, "the worker has the requests")
    api, page = server.connect(), server.connect()
    api.send(API_REQUEST)
    page.send(REQUEST.replace(b"/ ", b"/?lang=cs ", 1))
    status, body = api.read_response()
    assert (status, api.headers["Retry-After"]) == (503, "5")
    assert json.loads(body)["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
    status, body = page.read_response()
    assert status == 503
    assert b'lang="cs"' in body
    server.release()
    assert {client.read_response()[0] for client in (held, *queued)} == {200}
    ids = {client.headers["X-Request-ID"] for client in (api, page)}
    wait_until(lambda: ids <= _list_overloaded(server), "the refusals are logged", LATE_SECONDS)


def test_request_that_waited_too_long_keeps_no_memory(server: Server) -> None:
    """Its place in the pool remains until a thread is free."""
    server.hold()
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % MAX_BODY_SIZE
    memory = []
    for _round in range(2):
        for client in [server.connect(head + LARGE_BODY) for _number in range(3)]:
            assert client.read_response()[0] == 503
        memory.append(server.measure_memory())
    most = memory[0] + 2 * MAX_BODY_SIZE
    wait_until(lambda: server.measure_memory() < most, "the bodies of one round are freed", LATE_SECONDS)
    server.release()
    assert server.get() == 200  # the thread is free again


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: a\r\n" + BAD_TYPE + b"\r\n\r\n",
        b"GET /?" + b"a&" * 1100 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"garbage\r\n\r\n",
    ],
)
def test_refused_request_that_nobody_can_read_harms_no_other(server: Server, sent: bytes) -> None:
    held, queued = server.hold(), [server.connect(REQUEST) for _number in range(3)]
    wait_until(lambda: server.get("/healthz") == 200, "the worker has the requests")
    assert server.connect(sent).read_response()[0] == 503
    server.release()
    assert {client.read_response()[0] for client in (held, *queued)} == {200}


def test_reset_of_a_queued_request_harms_no_other(server: Server) -> None:
    held = server.hold()
    client = server.connect(
        b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"
    )
    queued = server.connect(REQUEST)
    wait_until(lambda: server.get("/healthz") == 200, "the worker has the requests")
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    client.close()
    assert queued.read_response()[0] == 503  # after its time in the queue, as the other's
    server.release()
    assert held.read_response()[0] == 200


@pytest.mark.parametrize(("queued", "accepted"), [(0, 1), (MAX_QUEUED_REQUESTS + 1, MAX_ACCEPTS_IN_A_ROW)])
def test_many_connections_are_accepted_at_once_while_load_is_shed(
    stopping: BufferingWorker, monkeypatch: pytest.MonkeyPatch, queued: int, accepted: int
) -> None:
    accepts = count()
    monkeypatch.setattr(stopping, "_accept_one", lambda _listener: next(accepts) >= 0)
    stopping.tpool = stopping.get_thread_pool()
    stopping.tpool.requests = set(range(queued))
    stopping.accept(None)
    assert next(accepts) == accepted


def test_probe_keeps_no_connection(server: Server) -> None:
    client = server.connect()
    assert client.get("/healthz") == 200
    assert client.headers["Connection"] == "close"
    assert client.is_closed()


def test_waiting_probe_holds_up_no_other(server: Server) -> None:
    held = server.hold("/readyz?held")
    assert server.get("/healthz") == 200
    server.release()
    assert held.read_response()[0] == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probe_is_answered(server: Server, path: str) -> None:
    server.hold()
    for _number in range(4):
        server.connect(REQUEST)
    server.connect(f"GET {path} HTTP/1.1\r\n".encode())  # incomplete
    assert server.get(path) == 200


def _list_overloaded(server: Server) -> set[str]:
    return {request_id for line in server.read_log("overloaded") for request_id in line["request_ids"]}
