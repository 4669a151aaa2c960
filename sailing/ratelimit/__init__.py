"""Rate limits: how often one client may do one thing, and where that is counted."""
