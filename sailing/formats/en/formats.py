"""English dates in one short form. Django has "Nov. 26, 2026, 10:13 a.m." and "11/26/2026"."""

DATE_FORMAT = "M j, Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "M j, Y, H:i"
MONTH_DAY_FORMAT = "M j"
SHORT_DATE_FORMAT = "M j, Y"
SHORT_DATETIME_FORMAT = "M j, Y, H:i"
