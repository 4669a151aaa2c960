"""What the pages of imports share."""

from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from newsletter.admin import has_import_permission
from newsletter.imports.models import ImportBatch


def check_permission(request: HttpRequest) -> None:
    if not has_import_permission(request):
        raise PermissionDenied


def get_user_id(request: HttpRequest) -> int:
    user: Any = request.user
    return int(user.pk)


def redirect_to(name: str, *arguments: Any) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse(f"admin:imports_importbatch_{name}", args=arguments))


def render_page(model_admin: Any, request: HttpRequest, name: str, **context: Any) -> TemplateResponse:
    request.current_app = model_admin.admin_site.name
    common = {**model_admin.admin_site.each_context(request), "opts": ImportBatch._meta}
    return TemplateResponse(request, f"admin/newsletter/imports/{name}.html", {**common, **context})


def add_to_history(user_id: int | None, batch: ImportBatch, flag: int, message: str) -> None:
    if user_id is not None:
        LogEntry.objects.create(
            user_id=user_id,
            content_type=ContentType.objects.get_for_model(ImportBatch),
            object_id=str(batch.pk),
            object_repr=str(batch)[:200],
            action_flag=flag,
            change_message=message,
        )
