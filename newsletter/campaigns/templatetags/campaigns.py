"""Template tags of campaigns, also for pages of the newsletter, which does not import them."""

from collections import defaultdict
from collections.abc import Collection

from django import template
from django.utils.translation import ngettext

from newsletter.campaigns.checks import Problem
from newsletter.campaigns.views import list_issues

register = template.Library()


@register.simple_tag
def has_public_issues() -> bool:
    """Return whether the archive has an issue."""
    return list_issues().exists()


@register.filter
def group_problems(problems: Collection[Problem]) -> list[list[Problem]]:
    """Return the problems that say the same together: the texts in both languages often share them."""
    groups: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in problems:
        groups[problem.severity, str(problem.message)].append(problem)
    return list(groups.values())


@register.filter
def count_problems(problems: Collection[Problem]) -> str:
    """Return how many errors and warnings are shown, in words."""
    groups = group_problems(problems)
    errors = sum(group[0].severity == "error" for group in groups)
    warnings = len(groups) - errors
    parts = [
        ngettext("%(count)s error", "%(count)s errors", errors) % {"count": errors} if errors else "",
        ngettext("%(count)s warning", "%(count)s warnings", warnings) % {"count": warnings}
        if warnings
        else "",
    ]
    return ", ".join(filter(None, parts))
