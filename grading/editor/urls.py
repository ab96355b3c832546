"""Addresses of editor."""

from django.urls import path

from grading.editor import views as drafts
from grading.editor import views_draft_files as draft_files
from grading.editor import views_history as history
from grading.editor import views_quality as quality
from grading.editor import views_suggestions as suggestions

urlpatterns = [
    path("drafts/<id:pk>/history/", history.draft_history, name="draft_history"),
    path("drafts/<id:pk>/history/<id:revision>/", history.draft_state, name="draft_state"),
    path(
        "drafts/<id:pk>/history/<id:revision>/restore/",
        history.draft_restore,
        name="draft_restore",
    ),
    path("drafts/<id:pk>/discard/", history.draft_discard, name="draft_discard"),
    path("drafts/<id:pk>/bring-back/", history.draft_bring_back, name="draft_bring_back"),
    path("drafts/<id:pk>/", drafts.draft, name="draft"),
    path("drafts/<id:pk>/edit/", drafts.draft_edit, name="draft_edit"),
    path("drafts/<id:pk>/undo/", drafts.draft_undo, name="draft_undo"),
    path("drafts/<id:pk>/redo/", drafts.draft_redo, name="draft_redo"),
    path("drafts/<id:pk>/changes/", drafts.draft_changes, name="draft_changes"),
    path("drafts/<id:pk>/scus/<id:uid>/", drafts.draft_scu, name="draft_scu"),
    path("drafts/<id:pk>/analysis/", suggestions.draft_analysis, name="draft_analysis"),
    path(
        "drafts/<id:pk>/suggestions/<suggestion_key:key>/take/",
        suggestions.suggestion_take,
        name="suggestion_take",
    ),
    path(
        "drafts/<id:pk>/suggestions/<suggestion_key:key>/dismiss/",
        suggestions.suggestion_dismiss,
        name="suggestion_dismiss",
    ),
    path(
        "drafts/<id:pk>/suggestions/<suggestion_key:key>/bring-back/",
        suggestions.suggestion_bring_back,
        name="suggestion_bring_back",
    ),
    path("drafts/<id:pk>/quality/", quality.draft_quality, name="draft_quality"),
    path("assignments/<id:pk>/drafts/empty/", draft_files.draft_empty, name="draft_empty"),
    path("assignments/<id:pk>/drafts/rubric/", draft_files.draft_rubric, name="draft_rubric"),
    path("assignments/<id:pk>/drafts/import/", draft_files.draft_import, name="draft_import"),
    path("assignments/<id:pk>/drafts/make/", draft_files.draft_make, name="draft_make"),
]
