#!/usr/bin/env python3
"""Write a .env with fresh secrets, unless there is one."""

import secrets
from pathlib import Path

PATH = Path(__file__).resolve().parent.parent / ".env"

if not PATH.exists():
    PATH.write_text(
        "# For this machine only; the README explains each setting.\n"
        f"SECRET_KEY={secrets.token_urlsafe(48)}\n"
        f"JWT_SECRET_KEY={secrets.token_urlsafe(48)}\n"
        "ALLOWED_HOSTS=localhost,127.0.0.1\n"
        "DATABASE_URL=sqlite:///db.sqlite3\n"
        "EMAIL_URL=consolemail://\n",
        encoding="utf-8",
    )
    PATH.chmod(0o600)
    print("Wrote .env with fresh secrets.")
