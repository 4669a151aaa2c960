"""Settings of the site with the peers' views: one server answers both sides."""

from sailing.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.peers"
