"""Uploads in slices, so that a file may be larger than the body of a request.

`static/admin-brand/upload.js` announces a file (`announce`) and sends its slices (`store_slice`); then the
file waits, for a day, for what the admin uploaded it for.
"""

from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from sailing.jobs import files
from sailing.jobs.models import JobFile


def announce(request: HttpRequest, form: Form, *, slice_url: str, next_url: str) -> JsonResponse:
    """Prepare a file whose `name` and `size` a form has, and return where its slices go, or the problems.

    `slice_url`: the name of the address of `store_slice`. `next_url`: that of the page after the upload.
    """
    if not form.is_valid():
        problems = [str(message) for field in form.errors.values() for message in field]
        return JsonResponse({"problem": " ".join(problems)}, status=400)
    file = files.create_upload(**form.cleaned_data, created_by_id=request.user.pk or 0)
    slices = reverse(slice_url, args=[file.pk, 0]).removesuffix("0/")
    return JsonResponse({"slices": slices, "next": reverse(next_url, args=[file.pk])})


def store_slice(request: HttpRequest, file_id: int, number: int) -> HttpResponse:
    """Store one slice of a file. The script repeats a slice that failed."""
    file = get_upload(request, file_id)
    is_stored = (
        request.method == "POST" and file.job_id is None and files.store_slice(file, number, request.body)
    )
    return HttpResponse(status=204 if is_stored else 400)


def get_upload(request: HttpRequest, file_id: int) -> JobFile:
    """Return an uploaded file, which only the admin who uploads it may see."""
    return get_object_or_404(JobFile, pk=file_id, created_by_id=request.user.pk)
