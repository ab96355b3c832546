"""Addresses of editor."""

from django.urls import path

from grading.editor import views

urlpatterns = [
    path("drafts/<id:pk>/history/", views.draft_history, name="draft_history"),
    path("drafts/<id:pk>/history/<id:revision>/", views.draft_state, name="draft_state"),
    path(
        "drafts/<id:pk>/history/<id:revision>/restore/",
        views.draft_restore,
        name="draft_restore",
    ),
    path("drafts/<id:pk>/discard/", views.draft_discard, name="draft_discard"),
    path("drafts/<id:pk>/bring-back/", views.draft_bring_back, name="draft_bring_back"),
    path("drafts/<id:pk>/", views.draft, name="draft"),
    path("drafts/<id:pk>/edit/", views.draft_edit, name="draft_edit"),
    path("drafts/<id:pk>/undo/", views.draft_undo, name="draft_undo"),
    path("drafts/<id:pk>/redo/", views.draft_redo, name="draft_redo"),
    path("drafts/<id:pk>/changes/", views.draft_changes, name="draft_changes"),
    path("drafts/<id:pk>/scus/<id:uid>/", views.draft_scu, name="draft_scu"),
    path("drafts/<id:pk>/ideas/", views.draft_ideas, name="draft_ideas"),
    path("drafts/<id:pk>/analysis/", views.draft_analysis, name="draft_analysis"),
    path(
        "drafts/<id:pk>/suggestions/<suggestion_key:key>/take/",
        views.suggestion_accept,
        name="suggestion_accept",
    ),
    path(
        "drafts/<id:pk>/suggestions/<suggestion_key:key>/dismiss/",
        views.suggestion_dismiss,
        name="suggestion_dismiss",
    ),
    path(
        "drafts/<id:pk>/suggestions/<suggestion_key:key>/bring-back/",
        views.suggestion_restore,
        name="suggestion_restore",
    ),
    path("drafts/<id:pk>/quality/", views.draft_quality, name="draft_quality"),
    path("assignments/<id:pk>/drafts/empty/", views.draft_empty, name="draft_empty"),
    path("assignments/<id:pk>/drafts/rubric/", views.draft_rubric, name="draft_rubric"),
    path("assignments/<id:pk>/drafts/import/", views.draft_import, name="draft_import"),
    path("assignments/<id:pk>/drafts/make/", views.draft_make, name="draft_make"),
]
