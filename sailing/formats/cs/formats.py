"""Czech dates with spaces, as Czech writes them. Django's short ones are 27.10.2026."""

DATETIME_FORMAT = "j. n. Y G:i"
MONTH_DAY_FORMAT = "j. n."
SHORT_DATE_FORMAT = "j. n. Y"
SHORT_DATETIME_FORMAT = "j. n. Y G:i"
