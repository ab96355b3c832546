"""Every URL of the product."""

from django.conf import settings
from django.contrib.auth import views as auth
from django.urls import path, register_converter
from django.urls.converters import IntConverter, StringConverter

from grading.forms.accounts import ChangedPasswordForm, ForgottenPasswordForm, LogInForm
from grading.pyramid.formats.file_kinds import FILE_KINDS
from grading.views import (
    accounts,
    annotations,
    assignments,
    attempts,
    calibration,
    calibration_results,
    class_figures,
    class_help,
    class_ideas,
    class_new_ideas,
    comments,
    copies,
    course_files,
    courses,
    deletions,
    downloads,
    draft_files,
    drafts,
    effects,
    gradebook,
    gradebook_exports,
    gradebook_fill,
    grades,
    hand_grades,
    history,
    imports,
    jobs,
    learning,
    likeness,
    marking,
    own_data,
    pyramids,
    quality,
    queue,
    references,
    release,
    reviews,
    roster,
    score_changes,
    second_look_answers,
    second_look_figures,
    second_looks,
    submissions,
    suggestions,
    versions,
    writings,
)


class IdConverter(IntConverter):
    """Numbers that a database can hold; others are addresses that do not exist."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")


class FileKindConverter(StringConverter):
    """Endings of the files that a pyramid is written to."""

    regex = "|".join(FILE_KINDS)


register_converter(FileKindConverter, "file_kind")


class SuggestionKeyConverter(StringConverter):
    """What key_of makes, which is as long as a database keeps; nothing else is a suggestion."""

    regex = "[0-9a-f]{32}"


register_converter(SuggestionKeyConverter, "suggestion_key")


class CalibrationFileConverter(StringConverter):
    """What a sample is written to files as."""

    regex = "ideas|scores"


register_converter(CalibrationFileConverter, "calibration_file")

urlpatterns = [
    path("", courses.home, name="home"),
    path("healthz", accounts.health, name="health"),
    # Accounts
    path(
        "accounts/login/",
        auth.LoginView.as_view(
            authentication_form=LogInForm,
            redirect_authenticated_user=True,
            extra_context={"open_sign_up": settings.OPEN_SIGN_UP},
        ),
        name="login",
    ),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("accounts/sign-up/", accounts.sign_up, name="sign_up"),
    path("accounts/", accounts.account, name="account"),
    path(
        "accounts/password/",
        auth.PasswordChangeView.as_view(form_class=ChangedPasswordForm),
        name="password_change",
    ),
    path(
        "accounts/password/done/",
        auth.PasswordChangeDoneView.as_view(),
        name="password_change_done",
    ),
    path(
        "accounts/reset/",
        auth.PasswordResetView.as_view(form_class=ForgottenPasswordForm),
        name="password_reset",
    ),
    path("accounts/reset/sent/", auth.PasswordResetDoneView.as_view(), name="password_reset_done"),
    path(
        "accounts/reset/<uidb64>/<token>/",
        accounts.PasswordResetConfirmView.as_view(),
        name="password_reset_confirm",
    ),
    path(
        "accounts/reset/done/",
        auth.PasswordResetCompleteView.as_view(),
        name="password_reset_complete",
    ),
    path("accounts/data/", own_data.own_data, name="own_data"),
    path("accounts/data/my-work.zip", own_data.own_data_file, name="own_data_file"),
    # Courses
    path("courses/new/", courses.course_new, name="course_new"),
    path("courses/join/", courses.course_join_by_code, name="course_join"),
    path("courses/<id:pk>/", courses.course, name="course"),
    path("courses/<id:pk>/edit/", courses.course_edit, name="course_edit"),
    path("courses/<id:pk>/code/", courses.course_code, name="course_code"),
    path("courses/<id:pk>/members/", courses.members, name="members"),
    path("courses/<id:pk>/members/<id:member_pk>/role/", courses.member_role, name="member_role"),
    path(
        "courses/<id:pk>/members/<id:member_pk>/delete/",
        courses.member_delete,
        name="member_delete",
    ),
    path("courses/<id:pk>/assignments/new/", assignments.assignment_new, name="assignment_new"),
    # Assignments
    path("assignments/<id:pk>/", assignments.assignment, name="assignment"),
    path("assignments/<id:pk>/edit/", assignments.assignment_edit, name="assignment_edit"),
    path("assignments/<id:pk>/score-changes/", score_changes.score_changes, name="score_changes"),
    path(
        "assignments/<id:pk>/score-changes/dismiss/",
        score_changes.score_changes_dismiss,
        name="score_changes_dismiss",
    ),
    path("assignments/<id:pk>/state/", assignments.assignment_state, name="assignment_state"),
    path("assignments/<id:pk>/references/", references.references, name="references"),
    path("references/<id:pk>/edit/", references.reference_edit, name="reference_edit"),
    path("references/<id:pk>/delete/", references.reference_delete, name="reference_delete"),
    path("assignments/<id:pk>/pyramid/", pyramids.pyramid, name="pyramid"),
    path("assignments/<id:pk>/pyramid/build/", pyramids.pyramid_build, name="pyramid_build"),
    path("assignments/<id:pk>/pyramid.pyr", downloads.pyramid_file, name="pyramid_file"),
    # Drafts and versions
    path("assignments/<id:pk>/drafts/new/", versions.draft_new, name="draft_new"),
    path("drafts/<id:pk>/publish/", versions.draft_publish, name="draft_publish"),
    path("drafts/<id:pk>/effect/", effects.draft_effect, name="draft_effect"),
    path("drafts/<id:pk>/history/", history.draft_history, name="draft_history"),
    path("drafts/<id:pk>/history/<id:revision>/", history.draft_state, name="draft_state"),
    path(
        "drafts/<id:pk>/history/<id:revision>/restore/",
        history.draft_restore,
        name="draft_restore",
    ),
    path("drafts/<id:pk>/discard/", history.draft_discard, name="draft_discard"),
    path("drafts/<id:pk>/bring-back/", history.draft_bring_back, name="draft_bring_back"),
    path("versions/<id:pk>/", versions.version, name="version"),
    path("versions/<id:pk>/edit/", versions.draft_from_version, name="draft_from_version"),
    path(
        "assignments/<id:pk>/versions/compare/",
        versions.versions_compare,
        name="versions_compare",
    ),
    path("assignments/<id:pk>/submit/", writings.submit, name="submit"),
    path("assignments/<id:pk>/writing/", writings.writing, name="writing"),
    path("assignments/<id:pk>/writing/file/", writings.writing_file, name="writing_file"),
    path("assignments/<id:pk>/writing/bring-back/", writings.bring_back, name="writing_bring_back"),
    path("submissions/<id:pk>/", submissions.submission, name="submission"),
    path(
        "submissions/<id:pk>/as-student/",
        submissions.submission_as_student,
        name="submission_as_student",
    ),
    path("submissions/<id:pk>/compare/", attempts.attempts_compare, name="attempts_compare"),
    path("assignments/<id:pk>/gradebook/", gradebook.gradebook, name="gradebook"),
    path("assignments/<id:pk>/gradebook.csv", gradebook.gradebook_file, name="gradebook_file"),
    path("assignments/<id:pk>/release/", release.release, name="release"),
    # Second looks
    path(
        "submissions/<id:pk>/second-looks/new/",
        second_looks.second_look_new,
        name="second_look_new",
    ),
    path(
        "second-looks/<id:pk>/withdraw/",
        second_looks.second_look_withdraw,
        name="second_look_withdraw",
    ),
    path(
        "assignments/<id:pk>/second-looks/",
        second_look_answers.second_looks,
        name="second_looks",
    ),
    path("second-looks/<id:pk>/", second_look_answers.second_look, name="second_look"),
    path(
        "second-looks/<id:pk>/answer/",
        second_look_answers.second_look_answer,
        name="second_look_answer",
    ),
    # The editor
    path("drafts/<id:pk>/", drafts.draft, name="draft"),
    path("drafts/<id:pk>/edit/", drafts.draft_edit, name="draft_edit"),
    path("drafts/<id:pk>/undo/", drafts.draft_undo, name="draft_undo"),
    path("drafts/<id:pk>/redo/", drafts.draft_redo, name="draft_redo"),
    path("drafts/<id:pk>/changes/", drafts.draft_changes, name="draft_changes"),
    path("drafts/<id:pk>/scus/<id:uid>/", drafts.draft_scu, name="draft_scu"),
    # Suggestions about drafts, and how good they are
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
    # Pyramids as files, and drafts begun from files and lists
    path("assignments/<id:pk>/drafts/empty/", draft_files.draft_empty, name="draft_empty"),
    path("assignments/<id:pk>/drafts/rubric/", draft_files.draft_rubric, name="draft_rubric"),
    path("assignments/<id:pk>/drafts/import/", draft_files.draft_import, name="draft_import"),
    path("assignments/<id:pk>/drafts/make/", draft_files.draft_make, name="draft_make"),
    path("drafts/<id:pk>/file.<file_kind:kind>", downloads.draft_file, name="draft_file"),
    path("drafts/<id:pk>/print/", downloads.draft_print, name="draft_print"),
    path("versions/<id:pk>/file.<file_kind:kind>", downloads.version_file, name="version_file"),
    path("versions/<id:pk>/print/", downloads.version_print, name="version_print"),
    # The roster and work in bulk
    path("courses/<id:pk>/roster/", roster.roster, name="roster"),
    path("courses/<id:pk>/roster/apply/", roster.roster_do, name="roster_apply"),
    path("courses/<id:pk>/members/<id:member_pk>/link/", roster.member_link, name="member_link"),
    path("assignments/<id:pk>/import/", imports.submission_import, name="submission_import"),
    path("imports/<id:pk>/", imports.work_import, name="work_import"),
    path("imports/<id:pk>/take-in/", imports.import_take_in, name="import_take_in"),
    path("imports/<id:pk>/discard/", imports.import_discard, name="import_discard"),
    # The queue
    path("assignments/<id:pk>/queue/", queue.queue, name="queue"),
    path("assignments/<id:pk>/queue/start/", queue.queue_start, name="queue_start"),
    path("assignments/<id:pk>/queue/do/", reviews.queue_do, name="queue_do"),
    path("assignments/<id:pk>/queue/flags/", queue.queue_signs, name="queue_signs"),
    path("assignments/<id:pk>/queue/names/", queue.queue_names, name="queue_names"),
    path("assignments/<id:pk>/queue/views/", reviews.queue_view_new, name="queue_view_new"),
    path("queue-views/<id:pk>/delete/", reviews.queue_view_delete, name="queue_view_delete"),
    path("submissions/<id:pk>/review/", reviews.review, name="review"),
    path("submissions/<id:pk>/beside/<id:other>/", likeness.likeness, name="likeness"),
    # Correcting
    path("submissions/<id:pk>/marking/", marking.marking, name="marking"),
    path("submissions/<id:pk>/marking/step/", marking.marking_step, name="marking_step"),
    path("submissions/<id:pk>/comments/", comments.comment_new, name="comment_new"),
    path("comments/<id:pk>/reword/", comments.comment_reword, name="comment_reword"),
    path("comments/<id:pk>/delete/", comments.comment_remove, name="comment_remove"),
    path("comments/<id:pk>/bring-back/", comments.comment_return, name="comment_return"),
    path("submissions/<id:pk>/annotation.pan", annotations.annotation_file, name="annotation_file"),
    path(
        "submissions/<id:pk>/annotation/", annotations.annotation_upload, name="annotation_upload"
    ),
    path(
        "assignments/<id:pk>/annotations.zip", annotations.annotations_file, name="annotations_file"
    ),
    path("assignments/<id:pk>/annotations/", annotations.annotations, name="annotations"),
    path(
        "assignments/<id:pk>/annotations/take/",
        annotations.annotations_take,
        name="annotations_take",
    ),
    # Calibration
    path("assignments/<id:pk>/calibration/", calibration.calibration, name="calibration"),
    path(
        "calibration/<id:pk>/texts/<id:place>/",
        calibration.calibration_text,
        name="calibration_text",
    ),
    path(
        "calibration/<id:pk>/result/",
        calibration_results.calibration_result,
        name="calibration_result",
    ),
    path(
        "calibration/<id:pk>/delete/",
        calibration.calibration_delete,
        name="calibration_delete",
    ),
    path(
        "calibration/<id:pk>/<calibration_file:kind>.csv",
        calibration_results.calibration_file,
        name="calibration_file",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/",
        learning.learning,
        name="calibration_learning",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/set/",
        learning.learning_set,
        name="calibration_learning_set",
    ),
    path(
        "assignments/<id:pk>/calibration/learning/undo/",
        learning.learning_undo,
        name="calibration_learning_undo",
    ),
    path(
        "assignments/<id:pk>/second-looks/figures/",
        second_look_figures.second_look_figures,
        name="second_look_figures",
    ),
    # The class
    path("assignments/<id:pk>/class/", class_figures.class_figures, name="class_figures"),
    path("assignments/<id:pk>/class/ideas/", class_ideas.class_ideas, name="class_ideas"),
    path(
        "assignments/<id:pk>/class/ideas.csv", class_ideas.class_ideas_file, name="class_ideas_file"
    ),
    path("assignments/<id:pk>/class/ideas/<id:uid>/", class_ideas.class_idea, name="class_idea"),
    path("assignments/<id:pk>/class/missed/", class_ideas.class_missed, name="class_missed"),
    path("assignments/<id:pk>/class/help/", class_help.class_help, name="class_help"),
    path(
        "assignments/<id:pk>/class/new-ideas/",
        class_new_ideas.class_new_ideas,
        name="class_new_ideas",
    ),
    path(
        "drafts/<id:pk>/class-ideas/",
        class_new_ideas.class_new_idea_take,
        name="class_new_idea_take",
    ),
    path(
        "assignments/<id:pk>/class/sections/", class_figures.class_sections, name="class_sections"
    ),
    # From scores to grades
    path("assignments/<id:pk>/grade-rule/", grades.grade_rule, name="grade_rule"),
    path(
        "assignments/<id:pk>/grades/<id:student_pk>/",
        hand_grades.grade_by_hand,
        name="grade_by_hand",
    ),
    # Gradebook files
    path(
        "assignments/<id:pk>/export/", gradebook_exports.gradebook_export, name="gradebook_export"
    ),
    path(
        "assignments/<id:pk>/export/fresh/",
        gradebook_exports.gradebook_fresh,
        name="gradebook_fresh",
    ),
    path("gradebook-uploads/<id:pk>/", gradebook_fill.gradebook_fill, name="gradebook_fill"),
    path(
        "gradebook-exports/<id:pk>/file/",
        gradebook_exports.gradebook_exported_file,
        name="gradebook_exported_file",
    ),
    # Housekeeping
    path("assignments/<id:pk>/copy/", copies.copy_assignment, name="assignment_copy"),
    path("courses/<id:pk>/copy/", copies.copy_course, name="course_copy"),
    path("assignments/<id:pk>/archive/", copies.archive_assignment, name="assignment_archive"),
    path("courses/<id:pk>/archive/", copies.archive_course, name="course_archive"),
    path("assignments/<id:pk>/delete/", deletions.delete_assignment, name="assignment_delete"),
    path("courses/<id:pk>/delete/", deletions.delete_course, name="course_delete"),
    path(
        "courses/<id:pk>/people/<id:user_pk>/delete-data/",
        deletions.delete_student,
        name="student_delete",
    ),
    path("courses/<id:pk>/deletions/", deletions.deletions, name="deletions"),
    path(
        "deletions/<id:pk>/bring-back/", deletions.deletion_bring_back, name="deletion_bring_back"
    ),
    path("courses/<id:pk>/exports/", course_files.course_exports, name="course_exports"),
    path("course-files/<id:pk>/course.zip", course_files.course_file, name="course_file"),
    path("courses/import/", course_files.course_import, name="course_import"),
    path("courses/import/<id:pk>/", course_files.course_import_look, name="course_import_look"),
    path("course-jobs/<id:pk>/", course_files.course_job, name="course_job"),
    path(
        "course-jobs/<id:pk>/try-again/",
        course_files.course_job_try_again,
        name="course_job_try_again",
    ),
    # Work in the background
    path("jobs/<id:pk>/", jobs.job, name="job"),
    path("jobs/<id:pk>/try-again/", jobs.job_try_again, name="job_try_again"),
]
