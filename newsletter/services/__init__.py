"""Use cases of the newsletter, one module per topic.

Each works in one transaction that includes the mail, and locks the subscriptions before it changes them. What
strangers can call checks the rate limit first.
"""
