"""Everything that touches gunicorn: its worker, slow clients, load shedding."""
