"""What no card can send again, whoever fills it in: named, in one sentence for each kind.

Rules:
1. Here is only what can't be repeated by its nature: a body that the page's script alone can write,
   a proof that holds once. What merely has no source is judged where sources are (``choosing``).
2. A media type is believed only where the body is no JSON and no form: content types lie.
3. No sentence holds anything of the request.
"""

import re
from collections.abc import Iterable

from recorder.contents import media_type
from recorder.naming import last_part
from recorder.parsed import (
    Carried,
    FormContent,
    JsonContent,
    NoContent,
    Parsed,
    scalars,
)
from recorder.traffic import Declared, RawRequest

ENCRYPTED = "The page's script encrypts or signs the body, which replay can't do."
BYTES = "The body is a stream of bytes that only the page's script can write."
SERVER_ACTION = "It is a server action, whose address belongs to one build of the page's script."
CAPTCHA = "It carries a captcha's answer, which holds once and can't be replayed."
SIGNED = "The page's script signs the request, which replay can't do."
PASSKEY = "It carries a passkey's answer, which holds once and can't be replayed."
SOCKET_SESSION = "It travels in the session of a socket that polls, which replay does not have."

_BY_MEDIA = tuple(
    (re.compile(pattern), f"The body is {name}, which only the page's script can write.")
    for pattern, name in (
        (r"application/grpc(?:-web)?(?:-text)?(?:\+.+)?", "gRPC-web"),
        (r"application/connect\+.+", "a Connect stream"),
        (r"application/(?:x-|vnd\.google\.)?proto(?:buf|col-buffer)?(?:\+.+)?", "protobuf"),
        (r"application/(?:x-|vnd\.)?(?:msgpack|messagepack)", "MessagePack"),
        (r"application/(?:.+\+)?cbor(?:-seq)?", "CBOR"),
        (
            r"application/(?:x-thrift|vnd\.apache\.thrift(?:\..+)?|x-amf|bson|avro|.+\+avro)",
            "binary",
        ),
        (r"text/x-gwt-rpc", "GWT-RPC"),
    )
)
_SEALED_MEDIA = re.compile(
    r"application/(?:jose|pkcs7-(?:mime|signature)|x-pkcs7-mime|pgp-encrypted|cose(?:-.+)?)|"
    r"message/ohttp.*"
)
_BYTE_MEDIA = ("application/octet-stream", "application/gzip", "application/x-binary")
# RFC 7515 and RFC 7516: three or five base64url parts, the first a JSON object.
_COMPACT = re.compile(
    rb"\s*eyJ[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2}(?:(?:\.[A-Za-z0-9_-]*){2})?\s*"
)
_ACTION_HEADERS = ("next-action", "rsc-action", "rsc-action-id", "x-tsr-serverfn", "x-qrl")
_ACTION_MEDIA = ("text/x-component", "application/qwik-json")
_ACTION_PATH = re.compile(r"/_(?:serverfn|server|app/remote)(?:/|$)", re.IGNORECASE)
_ACTION_FIELD = re.compile(r"(?:\d+_)?\$ACTION_")
_SIGNING = re.compile(r"(?:.+-)?(?:signature|sign|sig|hmac)(?:-[a-z0-9]+)*|dpop")
_SIGNED_SCHEME = re.compile(r"(?:AWS4-|HMAC|Hawk|Signature|Digest|DPoP)[^ ]* ", re.IGNORECASE)
_CAPTCHA_NAME = re.compile(
    r"(?:g-?re|h-?|re|fr[ci]-?)?captcha-?(?:response|token|answer|solution|code)?(?:-\d+|-?v\d)?|"
    r"(?:cf-?)?turnstile-?(?:response|token)?|altcha|mcaptcha--token|geetest-?validate|fc-token"
)
_CAPTCHA_ANSWER = re.compile(r"03A[A-Za-z0-9_-]{100,}|P[01]_eyJ[A-Za-z0-9_.-]{20,}")
_PASSKEY_NAMES = frozenset({"clientdatajson", "authenticatordata", "attestationobject"})
_CIPHER_NAME = re.compile(r"(?:encrypted-?(?:data|body|payload|content)?|cipher-?text|jwe)")
_CIPHER = re.compile(r"(?:[A-Za-z0-9+/_-]{24,}={0,2}|[0-9a-fA-F]{32,})(?:[.:][A-Za-z0-9+/=_-]*)*")
_SALTED = "U2FsdGVkX1"  # base64 of OpenSSL's and CryptoJS's ``Salted__``
_POLLING = re.compile(
    r"[?&]transport=polling(?:&|$)|/(?:longpoll|websocket/longpoll)(?:[?/]|$)|/[0-9]{3}/[^/]+/xhr(?:_send|_streaming)?(?:\?|$)"
)
_LONG_PROOF = 16


def why_unreplayable(
    request: RawRequest, parsed: Parsed, declared: Declared, unresolved: Iterable[str] = ()
) -> str | None:
    """Why no replay can send this, or none.

    Args:
        request: as it stood at the door.
        parsed: the same, taken apart.
        declared: what the author said: a captcha's answer may be a slot.
        unresolved: field paths of the headers for which no source was found.
    """
    items = list(scalars(parsed))
    if _is_server_action(request, items):
        return SERVER_ACTION
    if _POLLING.search(request.target):
        return SOCKET_SESSION
    return (
        _why_body(request, parsed, items)
        or _why_members(items, declared)
        or _why_headers(request, declared, frozenset(unresolved))
    )


def hides_values(request: RawRequest, parsed: Parsed) -> bool:
    """Whether the body can hold a typed value that nobody finds in it.

    Protobuf and its like keep texts as they are, unless a frame says that it is compressed.
    """
    reason = _why_body(request, parsed, list(scalars(parsed)))
    compressed = media_type(request).startswith("application/grpc") and _is_compressed(request)
    return reason in (ENCRYPTED, BYTES) or compressed


def _is_compressed(request: RawRequest) -> bool:
    # The first byte of a frame is its flags; base64 in the text form, where A stands for none.
    first = (request.body or b"")[:1]
    text = media_type(request).startswith("application/grpc-web-text")
    return bool(first) and (first != b"A" if text else bool(first[0] & 1))


def _is_server_action(request: RawRequest, items: list[Carried]) -> bool:
    solid = (request.header("x-server-instance") or "").startswith("server-fn")
    return (
        solid
        or any(request.header(name) is not None for name in _ACTION_HEADERS)
        or media_type(request) in _ACTION_MEDIA
        or bool(_ACTION_PATH.search(request.target.partition("?")[0]))
        or any(_ACTION_FIELD.match(item.field) for item in items)
    )


def _why_body(request: RawRequest, parsed: Parsed, items: list[Carried]) -> str | None:
    if isinstance(parsed.content, JsonContent | FormContent):
        return ENCRYPTED if _is_sealed_json(parsed) or any(map(_is_cipher, items)) else None
    if isinstance(parsed.content, NoContent) or request.body is None or request.undecodable:
        return None
    kind = media_type(request)
    if _SEALED_MEDIA.fullmatch(kind) or _COMPACT.fullmatch(request.body):
        return ENCRYPTED
    if kind in _BYTE_MEDIA:
        return BYTES
    return next((why for pattern, why in _BY_MEDIA if pattern.fullmatch(kind)), None)


def _is_sealed_json(parsed: Parsed) -> bool:
    # The JSON forms of RFC 7515 section 7.2 (ACME's, for one) and RFC 7516 section 7.2.
    document = parsed.content.document if isinstance(parsed.content, JsonContent) else None
    names = set(document) if isinstance(document, dict) else set()
    return names >= {"payload", "signatures"} or names >= {"payload", "protected", "signature"}


def _is_cipher(item: Carried) -> bool:
    if not isinstance(item.value, str):
        return False
    named = _CIPHER_NAME.fullmatch(_dashed(last_part(item.field)))
    return item.value.startswith(_SALTED) or bool(named and _CIPHER.fullmatch(item.value))


def _why_members(items: list[Carried], declared: Declared) -> str | None:
    names = {_dashed(last_part(item.field)).replace("-", "") for item in items}
    if len(names & _PASSKEY_NAMES) > 1:
        return PASSKEY
    captcha = any(_is_captcha(last_part(item.field), item.value, declared) for item in items)
    return CAPTCHA if captcha else None


def _is_captcha(name: str, value: object, declared: Declared) -> bool:
    if not isinstance(value, str) or not value.strip():
        return False
    if any(value in slot.texts for slot in declared.slots.values()):
        return False
    named = _CAPTCHA_NAME.fullmatch(_dashed(name).removeprefix("x-"))
    return bool(named) or bool(_CAPTCHA_ANSWER.fullmatch(value))


def _why_headers(request: RawRequest, declared: Declared, unresolved: frozenset[str]) -> str | None:
    for name, value in request.headers:
        if f"header:{name}" not in unresolved:
            continue
        if _is_captcha(name, value, declared):
            return CAPTCHA
        if name == "authorization" and _SIGNED_SCHEME.match(value):
            return SIGNED
        if _SIGNING.fullmatch(name) and len(value) >= _LONG_PROOF:
            return SIGNED
    return None


def _dashed(name: str) -> str:
    """A name in one spelling: ``recaptchaToken`` and ``recaptcha_token`` are the same."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name)
    return re.sub(r"[_\s]", "-", words).lower()
