"""A worker that is killed or loses the database within an import: nothing is lost, nothing is done twice."""

from tests.faults.mailing import Mailing
from tests.processes import manage, wait_until

ROWS, BAD_ROWS = 8000, 800
PREPARE = f"""
from newsletter.imports.tests.helpers import start
rows = [f"person{{row}}@example.com,{{'sailor' if row % 10 else 'pirate'}}" for row in range({ROWS})]
start("\\n".join(["email,user_type", *rows]))
"""
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'site' AND wait_event_type = 'Lock'"
JOB = """SELECT state, finished_rows, total_rows FROM jobs_job
  WHERE created_by_id IS NOT NULL ORDER BY id DESC LIMIT 1"""
BAD_ROW_CHUNKS = """SELECT content FROM jobs_jobfilechunk
  JOIN jobs_jobfile AS file ON file.id = file_id JOIN jobs_job AS job ON job.id = file.job_id
  WHERE file.name = 'rows-to-correct.csv' AND job.kind = 'newsletter.import' ORDER BY number"""


def test_import_continues_after_its_last_step(mailing: Mailing) -> None:
    database = mailing.database
    manage("shell", "--verbosity=0", "-c", PREPARE, **mailing.settings)

    def expire_claims() -> None:
        database.run("UPDATE jobs_job SET next_attempt_at = now() WHERE state IN ('running', 'waiting')")

    def read_counts() -> dict[str, int]:
        """Return the counts of the import, after a check that they are what is stored."""
        ((counts,),) = database.query("SELECT counts FROM imports_importbatch")
        added = database.query("SELECT count(*) FROM newsletter_subscription")
        assert added == [(counts.get("added-waiting", 0),)]
        assert database.query(JOB)[0][1] == sum(counts.values())
        return dict(counts)

    for _kill in range(2):
        with database.connected() as cursor, mailing.worker():
            cursor.execute("LOCK TABLE newsletter_subscription IN EXCLUSIVE MODE")
            wait_until(lambda: database.query(BLOCKED)[0][0], "a step waits for the lock")
        wait_until(lambda: not database.query(BLOCKED)[0][0], "the database has noticed")
        read_counts()
        expire_claims()
    with mailing.worker():
        wait_until(lambda: database.query(JOB)[0][1], "some rows are finished")
        database.server.restart()
        expire_claims()
        wait_until(lambda: database.query(JOB) == [("done", ROWS, ROWS)], "the same worker continues", 120)
    assert read_counts() == {"added-waiting": ROWS - BAD_ROWS, "audience": BAD_ROWS}
    content = b"".join(bytes(chunk) for (chunk,) in database.query(BAD_ROW_CHUNKS)).decode("utf-8-sig")
    lines = content.splitlines()
    assert len(lines) == len(set(lines)) == BAD_ROWS + 1
