"""The GraphQL endpoint: POST, JSON and bearer tokens only, so that no other site can act for a visitor."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import structlog
from django.contrib.auth import authenticate as authenticate_with_backends
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from graphene_django.settings import graphene_settings
from graphql import ExecutionResult, GraphQLError, GraphQLSchema, execute, get_operation_ast
from graphql_jwt.decorators import user_passes_test

from sailing import database
from sailing.client import Client, current_client
from sailing.errors import ApiError, Unauthenticated, Unavailable, is_database_unavailable
from sailing.graphql.documents import InvalidDocument, parse_document, sanitize_message
from sailing.input_limits import refused_body_status

MAX_BODY_SIZE = 32 * 1024  # bytes
MAX_LOGGED_LENGTH = 64  # characters of the name of an operation
RESPONSE_TYPE = "application/graphql-response+json"
JSON_TYPE = "application/json"
BAD_REQUEST = "BAD_REQUEST"

WRONG_TYPE = "`query`: string; `operationName`: string or null; `variables`, `extensions`: object or null."
OPTIONAL: dict[str, Any] = {"variables": dict, "operationName": str, "extensions": dict}

logger = structlog.get_logger(__name__)

member_required = user_passes_test(lambda user: user.is_authenticated, exc=Unauthenticated)


@dataclass
class Context:
    """What resolvers know about a request, and the arguments of `HttpResponse.set_cookie`."""

    client: Client
    user: Any
    token: str
    cookies: list[dict[str, Any]]


class BadRequest(InvalidDocument):
    def __init__(self, status: int, message: str) -> None:
        super().__init__([GraphQLError(message, extensions={"code": BAD_REQUEST})])
        self.status = status


@csrf_exempt  # no credentials that a browser sends by itself are accepted
def graphql(request: HttpRequest) -> HttpResponse:
    """Execute one operation, whose name the log has. Every response is JSON, and every error has a code."""
    cookies: list[dict[str, Any]] = []
    try:
        body = _read(request)
        variables, operation = body.get("variables"), body.get("operationName")
        document = parse_document(schema(), body["query"])
        if (chosen := get_operation_ast(document, operation)) and chosen.name:
            structlog.contextvars.bind_contextvars(operation=chosen.name.value[:MAX_LOGGED_LENGTH])
        request.user = authenticate(request)
        context = Context(current_client.get(), request.user, get_bearer_token(request), cookies)
        result: Any = execute(
            schema(), document, context_value=context, variable_values=variables, operation_name=operation
        )
    except InvalidDocument as error:
        return _respond(request, {"errors": [each.formatted for each in error.errors]}, error.status)
    except Exception as error:  # noqa: BLE001 - JSON requests get JSON responses
        result = ExecutionResult(None, [GraphQLError("", original_error=error)])
    response = _respond_to_result(request, result)
    for cookie in cookies:
        response.set_cookie(**cookie)
    return response


def schema() -> GraphQLSchema:
    found: GraphQLSchema = graphene_settings.SCHEMA.graphql_schema
    return found


def get_bearer_token(request: HttpRequest) -> str:
    """Return the token of `Authorization: Bearer <token>`, valid or not; blank without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def authenticate(request: HttpRequest) -> Any:
    """Return the owner of a request's bearer token; an AnonymousUser without a valid token."""
    token = get_bearer_token(request)
    user = authenticate_with_backends(request, bearer_token=token) if token else None
    return user or AnonymousUser()


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return the parameters of a request. Raises BadRequest."""
    if request.method != "POST":
        raise BadRequest(405, "Send a POST request.")
    if request.content_type != JSON_TYPE:
        raise BadRequest(415, "Send JSON (Content-Type: application/json).")
    if status := refused_body_status(request, limit=MAX_BODY_SIZE):
        raise BadRequest(status, f"Send at most {MAX_BODY_SIZE} bytes, with a Content-Length.")
    try:
        body = json.loads(request.body.decode("utf-8"))
        # RFC 7493 section 2: no NaN, no number beyond a double, no unpaired surrogate. Responses and the
        # database cannot contain them.
        json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise BadRequest(400, "The body is not valid JSON.") from None
    except UnreadablePostError:
        raise BadRequest(400, "The body ends early.") from None
    if not isinstance(body, dict):
        raise BadRequest(400, "The body must be a JSON object.")
    is_valid = all(isinstance(body.get(name), expected | None) for name, expected in OPTIONAL.items())
    if not is_valid or not isinstance(body.get("query"), str):
        raise BadRequest(400, WRONG_TYPE)
    return body


def _respond_to_result(request: HttpRequest, result: ExecutionResult) -> HttpResponse:
    if not result.errors:
        return _respond(request, {"data": result.data}, 200)
    formatted = [_format_error(request, error) for error in result.errors]
    has_data = any(value is not None for value in (result.data or {}).values())
    status = 200 if has_data else formatted[0][0]
    return _respond(request, {"errors": [error for _status, error in formatted], "data": result.data}, status)


def _format_error(request: HttpRequest, error: GraphQLError) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status of a response without data, and what the client learns."""
    cause = error.original_error
    if is_database_unavailable(cause):
        database.report_outage(cause)
        cause = Unavailable()
    if isinstance(cause, ApiError):
        status, message, extensions = cause.status, str(cause.message), cause.extensions
    elif cause is None or isinstance(cause, GraphQLError):  # a mistake of the client, as a variable's type
        status, message, extensions = 400, sanitize_message(error.message), {"code": "BAD_USER_INPUT"}
    else:
        logger.error("resolver_failed", exc_info=cause)
        status, message = 500, _("Something went wrong. Please try again.")
        extensions = {"code": "INTERNAL", "requestId": getattr(request, "request_id", "")}
    return status, {**error.formatted, "message": message, "extensions": extensions}


def _respond(request: HttpRequest, body: dict[str, Any], status: int) -> HttpResponse:
    """Send a response in the media type that the client asks for.

    Clients that name `application/json` alone get 200 for a well-formed request (GraphQL over HTTP, "Status
    Codes"), unless the site fails: then proxies and monitors must see it.
    """
    headers = {"Cache-Control": "no-store"}
    all_extensions = [error["extensions"] for error in body.get("errors", ())]
    codes = sorted({extensions["code"] for extensions in all_extensions})
    if codes:
        structlog.contextvars.bind_contextvars(errors=codes)
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = "POST"
    if status != HTTPStatus.OK and "retryAfter" in all_extensions[0]:
        headers["Retry-After"] = str(all_extensions[0]["retryAfter"])
    accepts = request.headers.get("Accept", "")
    content_type = RESPONSE_TYPE if RESPONSE_TYPE in accepts else JSON_TYPE
    is_legacy_client = content_type == JSON_TYPE and JSON_TYPE in accepts
    return HttpResponse(
        json.dumps(body, ensure_ascii=False),
        status=200 if is_legacy_client and BAD_REQUEST not in codes and status < 500 else status,
        content_type=f"{content_type}; charset=utf-8",
        headers=headers,
    )
