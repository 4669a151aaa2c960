"""Background jobs: work that takes longer than a request may."""
