"""Saved views of the queue: each grader's own, in all assignments of a course."""

from grading.models import Course, QueueView, User

MOST_VIEWS = 20


def queue_view_save(*, course: Course, user: User, name: str, query: str) -> bool:
    """Keep it under this name, in the place of what had it; False where there are too many."""
    views = QueueView.objects.filter(course=course, user=user)
    if views.exclude(name=name).count() >= MOST_VIEWS:
        return False
    QueueView.objects.update_or_create(
        course=course, user=user, name=name, defaults={"query": query}
    )
    return True
