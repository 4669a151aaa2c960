"""English dates in one short form, with non-breaking spaces. Django has "Nov. 26, 2026, 10:13 a.m."."""

MONTH_DAY_FORMAT = "M\N{NO-BREAK SPACE}j"
DATE_FORMAT = SHORT_DATE_FORMAT = f"{MONTH_DAY_FORMAT},\N{NO-BREAK SPACE}Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = f"{DATE_FORMAT}, H:i"
