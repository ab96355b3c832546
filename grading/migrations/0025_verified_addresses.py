"""Addresses of existing accounts become unverified, and are asked for at the next log-in.

What a roster said stays the word of that roster: it moves to the membership and to the account
that nobody has used yet.
"""

from django.conf import settings
from django.core.management import call_command
from django.db import migrations, models
import django.db.models.deletion
import django.utils.timezone

UNUSABLE = "!"


def move_addresses(apps, schema_editor):
    User = apps.get_model("grading", "User")
    RosterAccount = apps.get_model("grading", "RosterAccount")
    Membership = apps.get_model("grading", "Membership")
    EmailAddress = apps.get_model("account", "EmailAddress")
    untouched = {
        account.user_id: account
        for account in RosterAccount.objects.filter(
            user__password__startswith=UNUSABLE, user__last_login=None
        )
    }
    given = []
    for user in User.objects.exclude(email="").only("pk", "email").iterator():
        account = untouched.get(user.pk)
        if account is None:
            given.append(EmailAddress(user_id=user.pk, email=user.email.lower(), primary=True))
            continue
        RosterAccount.objects.filter(pk=account.pk).update(email=user.email)
        Membership.objects.filter(user=user.pk, course=account.course_id).update(
            roster_email=user.email
        )
    EmailAddress.objects.bulk_create(given, batch_size=500)
    User.objects.exclude(email="").update(email="")


def give_addresses_back(apps, schema_editor):
    """Every account has again the address that it was given, verified or not."""
    User = apps.get_model("grading", "User")
    taken = {email.lower() for email in User.objects.exclude(email="").values_list("email", flat=True)}
    sources = [
        apps.get_model("account", "EmailAddress").objects.values_list("user", "email"),
        apps.get_model("grading", "RosterAccount").objects.exclude(email="").values_list("user", "email"),
    ]
    for rows in sources:
        for user, email in rows:
            if email.lower() not in taken:
                taken.add(email.lower())
                User.objects.filter(pk=user, email="").update(email=email)


def make_cache_table(apps, schema_editor):
    """Where rate limits are counted, unless that is Redis."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):

    dependencies = [
        ("account", "0009_emailaddress_unique_primary_email"),
        ("grading", "0024_extensions_and_mails"),
    ]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(blank=True, max_length=254, verbose_name="verified e-mail address"),
        ),
        migrations.AddField(
            model_name="course",
            name="code_expires_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="membership",
            name="roster_email",
            field=models.EmailField(blank=True, max_length=254, verbose_name="e-mail address in the roster"),
        ),
        migrations.AddField(
            model_name="rosteraccount",
            name="email",
            field=models.EmailField(blank=True, max_length=254),
        ),
        migrations.CreateModel(
            name="RemovedMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("removed_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ("course", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="removed_members", to="grading.course")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("course", "user"), name="removed_from_a_course_once")],
            },
        ),
        migrations.RunPython(move_addresses, give_addresses_back),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
