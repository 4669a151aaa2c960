"""Use cases of accounts. Passwords are hashed before a transaction, so that no lock is held meanwhile."""
