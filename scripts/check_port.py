#!/usr/bin/env python3
"""Fail with one clear line if a port of this machine cannot be listened on."""

import os
import socket
import sys

for port in sys.argv[1:]:
    try:
        socket.create_server(("127.0.0.1", int(port))).close()
    except OSError as error:
        sys.exit(f"Port {port}: {os.strerror(error.errno or 0)}.")
