import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0029_words'),
    ]

    operations = [
        migrations.RenameField('review', 'looked_at', 'reviewed_at'),
        migrations.RenameField('review', 'looked_by', 'reviewed_by'),
        migrations.RenameModel('HandGrade', 'ManualGrade'),
        migrations.AlterField(
            model_name='manualgrade',
            name='assignment',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='manual_grades', to='grading.assignment'),
        ),
        migrations.AlterField(
            model_name='manualgrade',
            name='student',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='manual_grades', to=settings.AUTH_USER_MODEL),
        ),
    ]
