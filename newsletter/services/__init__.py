"""Use cases of the newsletter, one module per topic.

Each function validates, checks the rate limit, and works in one transaction that includes the mail. It
locks the subscriptions before it changes them, so that concurrent requests wait for each other.
"""
