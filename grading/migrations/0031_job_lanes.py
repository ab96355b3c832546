"""Each job is in a lane: jobs that somebody waits for start first."""

from django.db import migrations, models


def fill_lanes(apps, schema_editor):
    jobs = apps.get_model("grading", "Job").objects
    quick = models.Q(kind__in=["analyse_draft", "foretell_effect", "copy_step"])
    jobs.filter(quick | models.Q(kind="score_submissions", submission__isnull=False)).update(lane="quick")
    jobs.filter(kind="build_pyramid").update(lane="build")
    jobs.filter(lane="").update(lane="bulk")


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0030_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='lane',
            field=models.CharField(choices=[('quick', 'Quick'), ('build', 'Builds'), ('bulk', 'Whole classes and courses')], default='', editable=False, max_length=5),
            preserve_default=False,
        ),
        migrations.RunPython(fill_lanes, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name='job',
            index=models.Index(fields=['started_at'], name='grading_job_started_d33025_idx'),
        ),
    ]
