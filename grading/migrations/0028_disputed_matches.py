from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0027_assignment_defaults'),
    ]

    operations = [
        migrations.AddField(
            model_name='secondlook',
            name='disputes_match',
            field=models.BooleanField(default=False),
        ),
    ]
