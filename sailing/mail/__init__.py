"""Mails: addresses, tokens, the outbox and its sender, and the limits on mails."""
