"""Czech dates with non-breaking spaces, as Czech writes them. Django's short ones are 27.10.2026."""

MONTH_DAY_FORMAT = "j.\N{NO-BREAK SPACE}n."
SHORT_DATE_FORMAT = f"{MONTH_DAY_FORMAT}\N{NO-BREAK SPACE}Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = f"{SHORT_DATE_FORMAT} G:i"
