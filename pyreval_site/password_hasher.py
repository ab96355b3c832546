"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 19 MiB, two passes, one thread.

    Django's (100 MiB, eight threads) take ten times the processor time, and 1.6 GB for 16 log-ins
    at once. A class logs in within minutes before it submits (docs/decisions/0035-argon2.md).
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1
