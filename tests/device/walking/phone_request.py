"""A request as a server hands it on, in parts that can be replaced one by one."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_from_bytes, unquote_to_bytes

from werkzeug.routing import Rule

from tests.device.walking.odd import Odd

_PART = re.compile(r"<[^>]*?(\w+)>")
_BOUNDARY = "odd-boundary"

Fields = tuple[tuple[Odd, Odd], ...]


@dataclass(frozen=True)
class PhoneRequest:
    """One request. `query` and `form` may have a name several times."""

    method: str
    rule: Rule
    path: Mapping[str, Odd]
    query: Fields = ()
    form: Fields = ()
    files: tuple[tuple[str, str, bytes], ...] = ()
    """Name of the field, name of the file, its bytes."""
    cookies: Fields = ()
    headers: Mapping[str, Odd] | None = None
    body: bytes | None = None
    """In place of the form."""

    @property
    def address(self) -> str:
        """The path and the query, percent-encoded."""
        path = _PART.sub(lambda match: _quote(self.path.get(match[1], "x")), self.rule.rule)
        return f"{path}?{_encode(self.query)}" if self.query else path

    def environ(self, client: str) -> dict[str, Any]:
        """Return it as WSGI has it, from a client of this address."""
        path, _, query = self.address.partition("?")
        kind, body = self._content()
        headers = dict(self.headers or {})
        if self.cookies:
            pairs = (_bytes(name) + b"=" + _bytes(value) for name, value in self.cookies)
            headers["Cookie"] = b"; ".join(pairs)
        headers = {"Content-Type": kind, "Host": "localhost", **headers}
        environ_headers = {
            f"HTTP_{n.upper().replace('-', '_')}": _wsgi(v) for n, v in headers.items()
        }
        environ_headers["CONTENT_TYPE"] = environ_headers.pop("HTTP_CONTENT_TYPE")
        return {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": client,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **environ_headers,
        }

    def _content(self) -> tuple[str, bytes]:
        if self.body is not None:
            return "application/x-www-form-urlencoded", self.body
        if not self.files:
            return "application/x-www-form-urlencoded", _encode(self.form).encode()
        parts = [
            b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % (_bytes(name), _bytes(value))
            for name, value in self.form
        ]
        parts += [
            b'Content-Disposition: form-data; name="%s"; filename="%s"\r\n'
            b"Content-Type: image/jpeg\r\n\r\n%s" % (name.encode(), file.encode(), data)
            for name, file, data in self.files
        ]
        edge = f"--{_BOUNDARY}\r\n".encode()
        body = b"".join(edge + part + b"\r\n" for part in parts) + f"--{_BOUNDARY}--\r\n".encode()
        return f"multipart/form-data; boundary={_BOUNDARY}", body


def _bytes(word: Odd) -> bytes:
    return word if isinstance(word, bytes) else word.encode("utf-8", "surrogatepass")


def _wsgi(word: Odd) -> str:
    return _bytes(word).decode("latin-1")


def _quote(word: Odd) -> str:
    return quote_from_bytes(_bytes(word), safe="")


def _encode(fields: Fields) -> str:
    return "&".join(f"{_quote(name)}={_quote(value)}" for name, value in fields)
