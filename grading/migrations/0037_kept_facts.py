
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    """Two tables that start empty: workers fill them, and existing readings stay as they are."""

    dependencies = [
        ('grading', '0036_names_in_code'),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredFacts',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('maker', models.CharField(max_length=100)),
                ('document', models.BinaryField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='found_facts', to='grading.submission')),
            ],
            options={
                'verbose_name_plural': 'stored facts',
            },
        ),
        migrations.CreateModel(
            name='PyramidReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('maker', models.CharField(max_length=100)),
                ('digest', models.CharField(max_length=64)),
                ('segments', models.JSONField()),
                ('vectors', models.BinaryField()),
                ('facts', models.BinaryField()),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pyramid_readings', to='grading.assignment')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('assignment', 'maker', 'digest'), name='pyramid_reading_once')],
            },
        ),
    ]
