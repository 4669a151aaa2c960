"""Public pages: routes, rendered documents and sitemaps."""
