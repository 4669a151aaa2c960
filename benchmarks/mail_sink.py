"""A mail server that accepts everything and stores nothing (`python -m benchmarks.mail_sink PORT DELAY`)."""

import asyncio
import sys
from functools import partial
from typing import Any

REPLIES = {b"DATA": "354 go on", b"QUIT": "221 bye"}


class Sink(asyncio.Protocol):
    """One connection of a mail server that accepts everything and stores nothing."""

    delay = 0.0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.received = b""
        self.is_text = False
        self.reply("220 sink")

    def data_received(self, data: bytes) -> None:
        self.received += data
        while True:
            if self.is_text:
                if not self.received.endswith(b"\r\n.\r\n"):
                    return
                self.received, self.is_text = b"", False
                self.reply("250 OK")
            line, end, rest = self.received.partition(b"\r\n")
            if not end:
                return
            self.received = rest
            command = line[:4].upper()
            self.is_text = command == b"DATA"
            self.reply(REPLIES.get(command, "250 OK"))
            if command == b"QUIT":
                self.transport.close()

    def reply(self, line: str) -> None:
        send = partial(self.transport.write, f"{line}\r\n".encode())
        if self.delay:
            asyncio.get_running_loop().call_later(self.delay, send)
        else:
            send()


async def serve(port: int, delay: float) -> None:
    Sink.delay = delay
    server = await asyncio.get_running_loop().create_server(Sink, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
