"""Mails: who may be sent one."""
