"""A small SAML identity provider: its metadata, and signed answers to requests."""

import base64
import secrets
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree as ET

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from onelogin.saml2.utils import OneLogin_Saml2_Utils

ENTITY = "https://idp.example/metadata"
SIGN_ON = "https://idp.example/sign-on"
EMAIL = "urn:oid:0.9.2342.19200300.100.1.3"
GIVEN_NAME, SURNAME = "urn:oid:2.5.4.42", "urn:oid:2.5.4.4"
SUBJECT = "urn:oasis:names:tc:SAML:attribute:subject-id"


@dataclass(frozen=True)
class Identity:
    key: str
    certificate: str


def make_identity() -> Identity:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    return Identity(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain
        ).decode(),
        certificate.public_bytes(serialization.Encoding.PEM).decode(),
    )


def asked_by(address: str) -> dict[str, str]:
    """What the request says that a browser carries to the provider."""
    query = parse_qs(urlsplit(address).query)
    document = zlib.decompress(base64.b64decode(query["SAMLRequest"][0]), -15)
    request = ET.fromstring(document)  # noqa: S314  (our own)
    issuer = request.find("{urn:oasis:names:tc:SAML:2.0:assertion}Issuer")
    assert issuer is not None
    assert issuer.text
    return {
        "id": request.attrib["ID"],
        "acs": request.attrib["AssertionConsumerServiceURL"],
        "audience": issuer.text,
        "relay": query.get("RelayState", [""])[0],
    }


def answer(asked: dict[str, str], attributes: dict[str, str], identity: Identity) -> str:
    """A response with a signed assertion, as a form carries it back."""
    now = datetime.now(UTC)
    form = "%Y-%m-%dT%H:%M:%SZ"
    at, soon = now.strftime(form), (now + timedelta(minutes=5)).strftime(form)
    said = "".join(
        f'<saml:Attribute Name="{name}"><saml:AttributeValue>{value}</saml:AttributeValue>'
        "</saml:Attribute>"
        for name, value in attributes.items()
    )
    assertion = f"""<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"
 ID="_{secrets.token_hex(16)}" Version="2.0" IssueInstant="{at}">
<saml:Issuer>{ENTITY}</saml:Issuer>
<saml:Subject>
<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">zoe-7</saml:NameID>
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
<saml:SubjectConfirmationData InResponseTo="{asked["id"]}" Recipient="{asked["acs"]}"
 NotOnOrAfter="{soon}"/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="{at}" NotOnOrAfter="{soon}"><saml:AudienceRestriction>
<saml:Audience>{asked["audience"]}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="{at}" SessionIndex="_1"><saml:AuthnContext>
<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>
</saml:AuthnContext></saml:AuthnStatement>
<saml:AttributeStatement>{said}</saml:AttributeStatement></saml:Assertion>"""
    signed = OneLogin_Saml2_Utils.add_sign(assertion, identity.key, identity.certificate)
    body = signed.decode() if isinstance(signed, bytes) else signed
    body = body.removeprefix("<?xml version='1.0' encoding='utf-8'?>").strip()
    response = f"""<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"
 ID="_{secrets.token_hex(16)}" Version="2.0" IssueInstant="{at}" Destination="{asked["acs"]}"
 InResponseTo="{asked["id"]}">
<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">{ENTITY}</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>
{body}</samlp:Response>"""
    return base64.b64encode(response.encode()).decode()


def metadata(identity: Identity, sign_on: str) -> str:
    certificate = "".join(identity.certificate.splitlines()[1:-1])
    return f"""<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"
 xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="{ENTITY}">
<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{certificate}
</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
 Location="{sign_on}"/></md:IDPSSODescriptor></md:EntityDescriptor>"""


@contextmanager
def serving(identity: Identity, attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The address of the metadata, and the origin of the page with *Continue*: two hosts.

    Whoever comes is the person with these attributes.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/metadata":
                self.answer(metadata(identity, f"{log_in}/sign-on"), "application/xml")
            elif self.path.startswith("/sign-on?"):
                asked = asked_by(self.path)
                fields = {
                    "SAMLResponse": answer(asked, attributes, identity),
                    "RelayState": asked["relay"],
                }
                hidden = "".join(
                    f'<input type="hidden" name="{name}" value="{escape(value)}">'
                    for name, value in fields.items()
                )
                self.answer(
                    f'<!DOCTYPE html><title>x</title><form method="post" action="{asked["acs"]}">'
                    f"{hidden}<button>Continue</button></form>",
                    "text/html",
                )
            else:
                self.answer("", "text/plain")

        def answer(self, words: str, kind: str) -> None:
            data = words.encode()
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    log_in = f"http://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/metadata", log_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
