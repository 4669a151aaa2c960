"""Django's sessions in the database (SESSION_ENGINE), where PostgreSQL refuses a key with a NUL."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Its name stays: Django salts the data of a session with it."""

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(None if session_key and "\0" in session_key else session_key)
