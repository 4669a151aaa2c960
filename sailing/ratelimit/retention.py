"""The retention of rate counters (see `sailing.jobs.retention`)."""

from sailing.jobs import retention
from sailing.ratelimit import counters, limits

retention.register(counters.purge_expired)
retention.declare_periods({"rateCounts": max(limits.UNITS.values())})
