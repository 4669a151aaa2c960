"""Keep the pages' link to the archive up to date, without a query of the database for each page."""

import threading

from django.db import DatabaseError, InterfaceError, connection

from newsletter.campaigns.views import list_issues
from sailing import outages
from sailing.jobs.background import BackgroundThread
from sailing.web.pages import views

CHECK_SECONDS = 60.0


class ArchiveMonitor(BackgroundThread):
    """The thread of a web process that looks for a public issue."""

    def __init__(self) -> None:
        super().__init__("archive-monitor", run, join_seconds=1.0)


def run(stop: threading.Event) -> None:
    """Look now, and then each minute until `stop` is set. During an outage, pages stay as they are."""
    is_stopped = False
    while not is_stopped:
        try:
            views.link_archive(list_issues().exists())
        except (DatabaseError, InterfaceError) as error:
            outages.report(error)
        finally:
            connection.close()
        is_stopped = stop.wait(CHECK_SECONDS)
