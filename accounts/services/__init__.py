"""Use cases of accounts, one module per topic.

Each function validates, checks the rate limit, and works in one transaction that includes the mail.
Passwords are hashed before the transaction, so that no lock is held meanwhile.
"""
