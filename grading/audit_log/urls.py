"""Addresses of the audit log."""

from django.urls import path

from grading.audit_log import views

urlpatterns = [
    path("operations/audit-log/", views.audit_log, name="audit_log"),
    path("courses/<id:pk>/audit-log/", views.course_audit_log, name="course_audit_log"),
]
