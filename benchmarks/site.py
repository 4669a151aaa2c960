"""Settings of the product with the peers beside it: one server answers both sides of a measurement."""

from sailing.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.peers"
