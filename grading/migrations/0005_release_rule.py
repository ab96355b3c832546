from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("grading", "0004_what_students_saw")]

    operations = [
        migrations.RemoveField(model_name="assignment", name="shows_results"),
    ]
