"""English dates with non-breaking spaces: in full with a 12-hour clock, or short with a 24-hour clock."""

MONTH_DAY_FORMAT = "M\N{NO-BREAK SPACE}j"
DATE_FORMAT = "F\N{NO-BREAK SPACE}j,\N{NO-BREAK SPACE}Y"
SHORT_DATE_FORMAT = f"{MONTH_DAY_FORMAT},\N{NO-BREAK SPACE}Y"
TIME_FORMAT = "g:i\N{NO-BREAK SPACE}A"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = f"{SHORT_DATE_FORMAT}, H:i"
