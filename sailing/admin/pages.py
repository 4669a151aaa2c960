"""Pages of Django admin beside those that Django has for each model."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse


class PagesMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin with pages of its own. Their addresses have names like those of Django's pages."""

    def route(self, pattern: str, view: Any, name: str) -> Any:
        """Return the route to a page of this admin."""
        return path(pattern, self.admin_site.admin_view(view), name=self._get_route_name(name))

    def get_url(self, name: str, *arguments: Any) -> str:
        return reverse(f"admin:{self._get_route_name(name)}", args=arguments)

    def redirect(self, name: str, *arguments: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(self.get_url(name, *arguments))

    def show_page(
        self, request: HttpRequest, template: str, *, status: int = 200, **context: Any
    ) -> TemplateResponse:
        common = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, template, {**common, **context}, status=status)

    def _get_route_name(self, name: str) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{name}"
