"""Czech dates with non-breaking spaces, full and short as in English. Django's short ones: 27.10.2026."""

DATE_FORMAT = "j.\N{NO-BREAK SPACE}E\N{NO-BREAK SPACE}Y"
MONTH_DAY_FORMAT = "j.\N{NO-BREAK SPACE}n."
SHORT_DATE_FORMAT = f"{MONTH_DAY_FORMAT}\N{NO-BREAK SPACE}Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = f"{SHORT_DATE_FORMAT} G:i"
