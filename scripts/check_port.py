#!/usr/bin/env python3
"""Fail with one clear line if a port of this machine cannot be listened on."""

import errno
import socket
import sys

for port in sys.argv[1:]:
    try:
        socket.create_server(("127.0.0.1", int(port))).close()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        sys.exit(f"Port {port} is in use by another program." if taken else f"Port {port}: {error.strerror}.")
