"""What happened: counts, evidence, outcomes. Can only GET."""

from verifier.evidence import Evidence
from verifier.login import CookieRecord, Login
from verifier.outcome import (
    ApplicationError,
    HttpError,
    LoginRequired,
    NotApplicable,
    Outcome,
    Simulated,
    Success,
    Uncertain,
    Unconfirmed,
    UserDenied,
)

__all__ = [
    "ApplicationError",
    "CookieRecord",
    "Evidence",
    "HttpError",
    "Login",
    "LoginRequired",
    "NotApplicable",
    "Outcome",
    "Simulated",
    "Success",
    "Uncertain",
    "Unconfirmed",
    "UserDenied",
]
