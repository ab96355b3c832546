import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Nothing changes in the database: the table keeps its name, and only the code calls it flags."""

    dependencies = [
        ('grading', '0035_lti_comments'),
    ]

    operations = [
        migrations.AlterModelTable('submissionsigns', 'grading_submissionsigns'),
        migrations.RenameModel('SubmissionSigns', 'SubmissionFlags'),
        migrations.AlterModelOptions('submissionflags', {'verbose_name_plural': 'submission flags'}),
        migrations.AlterField(
            model_name='submissionflags',
            name='submission',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='found_flags', to='grading.submission'),
        ),
    ]
