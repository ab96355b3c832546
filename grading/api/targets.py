"""Where webhooks may lead: addresses of the internet, and what the operator allows besides.

A name is looked up once, and the connection goes to that very address: a second look-up could say
something else. Redirects are not followed.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from django.conf import settings

SECONDS = 5.0  # until the next byte
LONGEST = 15.0  # seconds, for everything together
READ = 1_000  # bytes of an answer
# Ways to write an IPv4 address as one of IPv6, by which a private one would pass for a public one.
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))

Address = IPv4Address | IPv6Address


class TargetError(Exception):
    """It cannot be sent there; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address of the web, taken apart."""

    is_secure: bool
    host: str
    port: int
    path: str


def read_target(url: str) -> Target:
    """TargetError where the URL is none that is ever sent to."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise TargetError("This is not a web address.") from None
    allowed = {"https"} if settings.SECURE else {"https", "http"}
    if parts.scheme not in allowed:
        raise TargetError("Enter an address that begins with https://.")
    if not parts.hostname or parts.username or parts.password or not url.isascii():
        raise TargetError("Enter the address without a name and password in it.")
    is_secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if any(ord(letter) <= 32 for letter in path):
        raise TargetError("This is not a web address.")
    return Target(is_secure, parts.hostname, port or (443 if is_secure else 80), path)


def is_allowed(address: Address) -> bool:
    """Is it an address of the internet, or in a network that the operator allows?"""
    plain = (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
    if any(
        plain.version == network.version and plain in network
        for network in settings.WEBHOOK_NETWORKS
    ):
        return True
    if isinstance(plain, IPv6Address) and (
        plain.sixtofour or plain.teredo or any(plain in network for network in _TRANSLATED)
    ):
        return False
    return plain.is_global and not plain.is_multicast and not plain.is_reserved


def find_address(target: Target) -> str:
    """The first address of the host. None of its addresses may be a private one."""
    try:
        address_infos = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise TargetError("The host name could not be found.") from None
    addresses = [str(row[4][0]).partition("%")[0] for row in address_infos]
    if not addresses or not all(is_allowed(ip_address(address)) for address in addresses):
        raise TargetError("The address is in a private network.")
    return addresses[0]


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send it, and return the status. TargetError where nothing came back."""
    target = read_target(url)
    connection = _Connection(target, find_address(target))
    deadline = threading.Timer(LONGEST, connection.abort)
    deadline.daemon = True
    deadline.start()
    try:
        connection.request("POST", target.path, body, dict(headers))
        response = connection.getresponse()
        response.read(READ)
    except (OSError, http.client.HTTPException) as error:
        raise TargetError(f"No answer ({type(error).__name__}).") from None
    finally:
        deadline.cancel()
        connection.close()
    return response.status


class _Connection(http.client.HTTPConnection):
    """To one address, under the name of the host."""

    def __init__(self, target: Target, address: str) -> None:
        super().__init__(target.host, target.port, timeout=SECONDS)
        self._target, self._address = target, address

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self._target.port), SECONDS)
        self.sock = plain
        if self._target.is_secure:
            context = ssl.create_default_context()
            self.sock = context.wrap_socket(plain, server_hostname=self._target.host)

    def abort(self) -> None:
        """Wake whoever reads from it, with an error."""
        if self.sock is not None:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                self.close()
