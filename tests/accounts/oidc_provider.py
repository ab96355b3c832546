"""A small OpenID Connect provider: discovery, authorise, token (RS256), keys and user info."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "classroom", "a secret of both"


@dataclass
class Provider:
    """``person`` is who is logged in at the provider: the claims about them."""

    url: str
    person: dict[str, Any] = field(default_factory=dict)
    key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    audience: str = CLIENT

    def configuration(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorise",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def keys(self) -> dict[str, Any]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [public | {"kid": "1", "use": "sig", "alg": "RS256"}]}

    def authorise(self, query: dict[str, str]) -> str:
        """Where the browser goes back to."""
        assert query["client_id"] == CLIENT
        assert query["response_type"] == "code"
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe()
        self.codes[code] = query
        answer = urlencode({"code": code, "state": query["state"]})
        return f"{query['redirect_uri']}?{answer}"

    def token(self, form: dict[str, str]) -> dict[str, Any]:
        query = self.codes.pop(form["code"])  # once
        assert (form["client_id"], form["client_secret"]) == (CLIENT, SECRET)
        assert form["redirect_uri"] == query["redirect_uri"]
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        assert query["code_challenge"] == challenge
        access = secrets.token_urlsafe()
        self.tokens.add(access)
        now = int(time.time())
        claims = {"iss": self.url, "aud": self.audience, "iat": now, "exp": now + 60}
        signed = jwt.encode(claims | self.person, self.key, algorithm="RS256", headers={"kid": "1"})
        return {"access_token": access, "token_type": "Bearer", "id_token": signed}


@contextmanager
def serving() -> Iterator[Provider]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query).items()}
            if address.path == "/authorise":
                self.send_response(302)
                self.send_header("Location", provider.authorise(query))
                self.end_headers()
            elif address.path == "/userinfo":
                token = self.headers["Authorization"].removeprefix("Bearer ")
                assert token in provider.tokens
                self.answer(provider.person)
            elif address.path == "/keys":
                self.answer(provider.keys())
            else:
                assert address.path == "/.well-known/openid-configuration"
                self.answer(provider.configuration())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            self.answer(provider.token(form))

        def answer(self, document: dict[str, Any]) -> None:
            data = json.dumps(document).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
