"""Addresses of pyramids."""

from django.urls import path

from grading.pyramids import views

urlpatterns = [
    path("assignments/<id:pk>/references/", views.references, name="references"),
    path("references/<id:pk>/edit/", views.reference_edit, name="reference_edit"),
    path("references/<id:pk>/delete/", views.reference_delete, name="reference_delete"),
    path("assignments/<id:pk>/pyramid/", views.pyramid, name="pyramid"),
    path("assignments/<id:pk>/pyramid/build/", views.pyramid_build, name="pyramid_build"),
    path("assignments/<id:pk>/pyramid.pyr", views.pyramid_file, name="pyramid_file"),
    path("assignments/<id:pk>/drafts/new/", views.draft_new, name="draft_new"),
    path("drafts/<id:pk>/publish/", views.draft_publish, name="draft_publish"),
    path("drafts/<id:pk>/effect/", views.draft_effect, name="draft_effect"),
    path("versions/<id:pk>/", views.version, name="version"),
    path("versions/<id:pk>/edit/", views.draft_from_version, name="draft_from_version"),
    path(
        "assignments/<id:pk>/versions/compare/",
        views.versions_compare,
        name="versions_compare",
    ),
    path("drafts/<id:pk>/file.<file_kind:kind>", views.draft_file, name="draft_file"),
    path("drafts/<id:pk>/print/", views.draft_print, name="draft_print"),
    path("versions/<id:pk>/file.<file_kind:kind>", views.version_file, name="version_file"),
    path("versions/<id:pk>/print/", views.version_print, name="version_print"),
]
