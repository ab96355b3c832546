"""``manage.py verify_email``: the operator vouches for somebody's address."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from grading.models import User


class Command(BaseCommand):
    help = "Give an account a verified e-mail address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("login")
        parser.add_argument("address")

    def handle(self, **options: Any) -> None:
        login, address = options["login"], options["address"]
        user = User.objects.filter(username__iexact=login).first()
        if user is None:
            raise CommandError(f"No account has the login “{login}”.")
        try:
            validate_email(address)
            with transaction.atomic():
                user.verify_email(address)
        except ValidationError:
            raise CommandError(f"“{address}” is not an e-mail address.") from None
        except IntegrityError:
            raise CommandError(f"Another account has the address {address}.") from None
        self.stdout.write(f"{user.username} has the address {user.verified_email}.")
