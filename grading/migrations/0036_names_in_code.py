import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Names in the code only: tables and columns keep theirs, and no row is touched."""

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
        migrations.AlterField(
            model_name='score',
            name='scus',
            field=models.PositiveIntegerField(db_column='scus'),
        ),
        migrations.RenameField('score', 'scus', 'statements'),
        migrations.AlterField(
            model_name='secondlook',
            name='scu',
            field=models.PositiveIntegerField(blank=True, db_column='scu', null=True),
        ),
        migrations.RenameField('secondlook', 'scu', 'scu_uid'),
        migrations.AlterField(
            model_name='matchcorrection',
            name='scu',
            field=models.PositiveIntegerField(blank=True, db_column='scu', null=True),
        ),
        migrations.RenameField('matchcorrection', 'scu', 'scu_uid'),
        migrations.AlterField(
            model_name='comment',
            name='scu',
            field=models.PositiveIntegerField(blank=True, db_column='scu', null=True),
        ),
        migrations.RenameField('comment', 'scu', 'scu_uid'),
    ]
