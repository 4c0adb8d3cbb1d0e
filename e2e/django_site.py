"""Django's own admin on loopback: a real site that is not ours.

Its one addition is a small JSON view of the groups, which the readback asks. The server runs in a
process of its own, since Django is configured once for each process.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Self

USER, PASSWORD = "ada", "correct horse battery staple"


class DjangoSite:
    """The admin with one superuser, an empty SQLite file and no groups."""

    def __init__(self) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix="reqcard-django-")
        self._process: subprocess.Popen[str] | None = None
        self.origin = ""

    def __enter__(self) -> Self:
        database = Path(self._directory.name) / "site.sqlite3"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "e2e.django_site", str(database)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        self.origin = self._process.stdout.readline().strip()
        assert self.origin.startswith("http://127.0.0.1:"), "the Django site did not start"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._directory.cleanup()

    def groups(self) -> list[str]:
        """The names of the groups as the server's own database has them."""
        with urllib.request.urlopen(f"{self.origin}/truth") as answer:  # noqa: TID251 (not ours)
            names: list[str] = json.load(answer)
        return names


def _serve(database: str) -> None:
    import django
    from django.conf import settings

    settings.configure(
        DEBUG=False,
        SECRET_KEY=os.urandom(16).hex(),
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF="e2e.django_urls",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
        INSTALLED_APPS=[
            "django.contrib.admin",
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "django.contrib.staticfiles",
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        STATIC_URL="/static/",
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    )
    django.setup()

    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    users: Any = get_user_model().objects
    users.create_superuser(USER, "ada@example.test", PASSWORD)

    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.wsgi import get_wsgi_application

    class Threads(ThreadingMixIn, WSGIServer):
        # A browser opens connections ahead of need; one of those must not hold up the others.
        daemon_threads = True

    class Quiet(WSGIRequestHandler):
        def log_message(self, *_: object) -> None:
            return

    handler = StaticFilesHandler(get_wsgi_application())
    server = make_server("127.0.0.1", 0, handler, server_class=Threads, handler_class=Quiet)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    _serve(sys.argv[1])
