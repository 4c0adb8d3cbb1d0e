"""The URLs of the Django site: its admin, and the two JSON views of its groups."""

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path


def groups(_: HttpRequest) -> HttpResponse:
    return JsonResponse({"groups": [{"id": g.pk, "name": g.name} for g in Group.objects.all()]})


def truth(_: HttpRequest) -> HttpResponse:
    return JsonResponse([g.name for g in Group.objects.all()], safe=False)


urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/groups", login_required(groups, login_url="/admin/login/")),
    path("truth", truth),
]
