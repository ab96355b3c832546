"""Addresses of pyramids."""

from django.urls import path

from grading.pyramids import views as pyramids
from grading.pyramids import views_downloads as downloads
from grading.pyramids import views_effects as effects
from grading.pyramids import views_references as references
from grading.pyramids import views_versions as versions

urlpatterns = [
    path("assignments/<id:pk>/references/", references.references, name="references"),
    path("references/<id:pk>/edit/", references.reference_edit, name="reference_edit"),
    path("references/<id:pk>/delete/", references.reference_delete, name="reference_delete"),
    path("assignments/<id:pk>/pyramid/", pyramids.pyramid, name="pyramid"),
    path("assignments/<id:pk>/pyramid/build/", pyramids.pyramid_build, name="pyramid_build"),
    path("assignments/<id:pk>/pyramid.pyr", downloads.pyramid_file, name="pyramid_file"),
    path("assignments/<id:pk>/drafts/new/", versions.draft_new, name="draft_new"),
    path("drafts/<id:pk>/publish/", versions.draft_publish, name="draft_publish"),
    path("drafts/<id:pk>/effect/", effects.draft_effect, name="draft_effect"),
    path("versions/<id:pk>/", versions.version, name="version"),
    path("versions/<id:pk>/edit/", versions.draft_from_version, name="draft_from_version"),
    path(
        "assignments/<id:pk>/versions/compare/",
        versions.versions_compare,
        name="versions_compare",
    ),
    path("drafts/<id:pk>/file.<file_kind:kind>", downloads.draft_file, name="draft_file"),
    path("drafts/<id:pk>/print/", downloads.draft_print, name="draft_print"),
    path("versions/<id:pk>/file.<file_kind:kind>", downloads.version_file, name="version_file"),
    path("versions/<id:pk>/print/", downloads.version_print, name="version_print"),
]
