"""The retention of mails and of the budgets of mailboxes (see `sailing.jobs.retention`)."""

from sailing.jobs import retention
from sailing.mail import mailbox_budget, sender
from sailing.mail_links import tokens

retention.register(sender.purge_expired)
retention.register(mailbox_budget.purge_expired)
retention.declare_periods(
    {
        "mails": sender.RETENTION,
        "mailLinks": tokens.TOKEN_RETENTION,
        "mailCounts": mailbox_budget.RETENTION,
    }
)
