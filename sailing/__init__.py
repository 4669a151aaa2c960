"""The project: what belongs to no single app."""

__version__ = "1.0.0"
