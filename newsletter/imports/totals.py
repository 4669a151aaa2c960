"""Count what the import of a whole file would do, before anything is stored."""

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from newsletter.imports.rows import CheckedRow
from newsletter.imports.vocabulary import LeftOutReason, RowState
from newsletter.models import UserType

MAX_REASONS = 20
"""Different reasons that are listed. Others, such as each unknown value of a column, are one line."""

BUCKETS = 64

COMPANY, UNCONFIRMED = 1, 2
"""The last bits of the number of an address that comes in."""

TOTALS = (
    *("rows", "valid", "added", "unconfirmed", "repeated"),
    *("known", "ended", "opted_out", "bounced", "left_out"),
)
"""The rows of a file by what an import does with them. `rows` is the sum of all but `valid`.

`valid`: rows with an address. `added`: come in as waiting or, of an import with a documented consent, as
confirmed; `unconfirmed` of them as waiting even then. `repeated`: their address came earlier in the file.
`known`: on the list already; `ended`: so too, and get no newsletter from now on. `opted_out`, `bounced`: come
in, and get no newsletter. `left_out`: with their number for each of the `reasons`.
"""


class TotalsCounter:
    """Adds up the checked rows of a file, in its order.

    It needs eight bytes for a row: only a hash of each address that comes in is kept.
    """

    def __init__(self) -> None:
        self._totals: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._asked, self._opted_out = ([array("Q") for _number in range(BUCKETS)] for _set in range(2))

    def add(self, rows: Iterable[CheckedRow]) -> None:
        totals = self._totals
        for row in rows:
            totals["rows"] += 1
            totals["valid"] += bool(row.email)
            if row.email and row.state is RowState.OPTED_OUT:
                bucket, key = _hash(row)
                self._opted_out[bucket].append(key)
            if row.subscription is None:
                self._leave_out(row.problems[0])
            elif row.is_known:
                totals["known"] += row.state is RowState.ASK
                totals["ended"] += row.state is not RowState.ASK
            elif row.state is RowState.OPTED_OUT:
                totals["opted_out"] += 1
            elif row.state is RowState.BOUNCED:
                totals["bounced"] += 1
            else:
                bucket, key = _hash(row)
                key |= COMPANY if row.subscription.user_type == UserType.COMPANY else 0
                self._asked[bucket].append(key | (UNCONFIRMED if row.is_unconfirmed else 0))

    def finish(self) -> dict[str, Any]:
        """Return the TOTALS of all rows, and the `reasons`."""
        totals = self._totals
        opted_out = 0
        for asked, left in zip(self._asked, self._opted_out, strict=True):
            gone = set(left)
            first: dict[int, int] = {}
            for key in asked:  # the first row of an address counts, as in the import
                first.setdefault(key & ~UNCONFIRMED, key & UNCONFIRMED)
            # The opt-out may stand anywhere in the file.
            stays = [unconfirmed for key, unconfirmed in first.items() if key & ~COMPANY not in gone]
            totals["added"] += len(stays)
            totals["unconfirmed"] += stays.count(UNCONFIRMED)
            opted_out += len(first) - len(stays)
            totals["repeated"] += len(asked) - len(first)
        if opted_out:
            self._leave_out(str(LeftOutReason.OPTED_OUT.label), opted_out)
        return {**{name: totals[name] for name in TOTALS}, "reasons": dict(self._reasons.most_common())}

    def _leave_out(self, reason: str, count: int = 1) -> None:
        self._totals["left_out"] += count
        is_listed = reason in self._reasons or len(self._reasons) < MAX_REASONS
        self._reasons[reason if is_listed else _("Other reasons.")] += count


def _hash(row: CheckedRow) -> tuple[int, int]:
    """Return the bucket that an address falls into, and a number for it, without the last two bits."""
    number = hash(row.email) & (2**64 - 4)
    return number >> 58, number
