"""Every URL with what each of the cast gets there. test_urls.py fails for a URL without a row.

A row gives the status for instructor, TA, student (whose work it is), the other student, the
outsider, and anonymous. 302 for anonymous is the way to the log-in page.
"""

from dataclasses import dataclass, field

from grading.pyramid.formats.file_kinds import FILE_KINDS
from tests.conftest import SUMMARY

WHO = ("instructor", "ta", "student", "other_student", "outsider", "anonymous")


@dataclass(frozen=True)
class Row:
    """What each of WHO gets."""

    name: str
    statuses: tuple[int, int, int, int, int, int]
    method: str = "get"
    about: str = ""  # what the URL's pk is of
    data: dict[str, str] = field(default_factory=dict)


# Of accounts, and of no course.
OF_ACCOUNTS = frozenset(
    {"token", "claim", "key", "session", "provider", "organisation", "api token"}
)
# Of an LMS, and of no course here; and of a course that is linked with one of an LMS.
OF_LMS = frozenset({"lti token", "new lti context", "lti platform", "lti deployment"})
OF_LINKED_COURSE = frozenset({"lti context", "lti link"})

NOTHING_SAID = {"due": ""}
TITLE = "Why cities are hotter"
NEW_SUMMARY = f"{SUMMARY} And more."
RELEASE_ALL = {"what": "shown", "who": "all"}
NEW_LABEL = {"command": "set_label", "uid": "1", "label": "Heat", "revision": "0"}
NEW_COMMENT = {"comment": "Well put.", "audience": "student"}
SAVED_COMMENT = {"key": "own", "text": "Say it in your own words."}
FRESH_CSV = {"kind": "csv", "scope": "all"}
RULE = {
    "counts": "comprehensive",
    "points": "10",
    "scale": "line",
    "late": "never",
    "rounding": "0.5",
    "attempt": "last",
}
MANUAL_GRADE = {"kind": "excused", "reason": "Ill."}
A_RULE = {"which": "other", "percent": "40"}
OPINIONS = {"methods": "rouge-1", "least_difference": "1.5"}
NEW_REQUEST = {"sentence": "1", "reason": "It says so."}

MEMBERS = (200, 200, 200, 200, 404, 302)
GRADERS = (200, 200, 403, 403, 404, 302)
GRADERS_DO = (302, 302, 403, 403, 404, 302)
INSTRUCTORS = (200, 403, 403, 403, 404, 302)
INSTRUCTORS_DO = (302, 403, 403, 403, 404, 302)
NOBODY_OF_THEM = (403, 403, 403, 403, 403, 302)
REFUSED = (403, 403, 403, 403, 403, 403)
EVERYONE_IN = (200, 200, 200, 200, 200, 302)
EVERYONE_IN_DO = (302, 302, 302, 302, 302, 302)
ONLY_LOGGED_OUT = (302, 302, 302, 302, 302, 200)
EVERYONE = (200, 200, 200, 200, 200, 200)
OWN = (200, 200, 200, 403, 404, 302)
ONLY_THE_STUDENT = (403, 403, 200, 403, 404, 302)
THE_STUDENT_DOES = (403, 403, 302, 403, 404, 302)

ROWS = (
    Row("home", EVERYONE_IN),
    Row("account_login", ONLY_LOGGED_OUT),
    Row("account_logout", EVERYONE_IN),
    Row("account_logout", (302, 302, 302, 302, 302, 302), "post"),
    Row("account_inactive", EVERYONE),
    Row("account_signup", ONLY_LOGGED_OUT),
    Row("account", EVERYONE_IN),
    Row("account_claim", (404, 404, 404, 404, 404, 404), about="claim"),
    Row("account_email", EVERYONE_IN),
    Row("account_email_verification_sent", (302, 302, 302, 302, 302, 302)),
    Row("account_confirm_email", EVERYONE, about="key"),
    Row("account_reauthenticate", EVERYONE_IN),
    Row("account_confirm_login_code", (302, 302, 302, 302, 302, 302)),
    Row("session_end", (404, 404, 404, 404, 404, 302), "post", "session"),
    Row("usersessions_list", EVERYONE_IN),
    Row("mfa_index", EVERYONE_IN),
    Row("mfa_authenticate", (302, 302, 302, 302, 302, 302)),
    Row("mfa_reauthenticate", (302, 302, 302, 302, 302, 302)),
    Row("mfa_activate_totp", EVERYONE_IN),
    Row("mfa_deactivate_totp", (404, 404, 404, 404, 404, 302)),
    Row("mfa_view_recovery_codes", (404, 404, 404, 404, 404, 302)),
    Row("mfa_generate_recovery_codes", EVERYONE_IN),
    Row("mfa_download_recovery_codes", (404, 404, 404, 404, 404, 302)),
    Row("mfa_list_webauthn", EVERYONE_IN),
    Row("mfa_add_webauthn", EVERYONE_IN),
    Row("mfa_login_webauthn", (302, 302, 302, 302, 302, 302)),
    Row("mfa_reauthenticate_webauthn", (302, 302, 302, 302, 302, 302)),
    Row("mfa_edit_webauthn", (404, 404, 404, 404, 404, 302), about="session"),
    Row("mfa_remove_webauthn", (404, 404, 404, 404, 404, 302), about="session"),
    Row("socialaccount_connections", EVERYONE_IN),
    Row("socialaccount_login_cancelled", EVERYONE),
    Row("socialaccount_login_error", (401, 401, 401, 401, 401, 401)),
    Row("socialaccount_signup", (302, 302, 302, 302, 302, 302)),
    Row("openid_connect_login", (404, 404, 404, 404, 404, 404), about="provider"),
    Row("openid_connect_callback", (404, 404, 404, 404, 404, 404), about="provider"),
    *(
        Row(f"saml_{name}", (404, 404, 404, 404, 404, 404), about="organisation")
        for name in ("acs", "finish_acs", "login", "metadata", "sls")
    ),
    # The API's own operations are in tests/api/api_table.py.
    Row("api_docs", EVERYONE),
    Row("api_tokens", EVERYONE_IN),
    Row("api_token_new", EVERYONE_IN),
    Row("api_token_new", (422, 422, 422, 422, 422, 302), "post"),
    Row("api_token_revoke", (404, 302, 404, 404, 404, 302), "post", "api token"),
    Row("webhooks", INSTRUCTORS, about="course"),
    Row("webhooks", (422, 403, 403, 403, 404, 302), "post", "course", {"url": "ftp://a.b"}),
    Row("webhook_delete", INSTRUCTORS_DO, "post", "webhook"),
    Row("mail_choices", EVERYONE_IN),
    Row("mail_choices", EVERYONE_IN_DO, "post", data={"results": "on", "second_looks": "daily"}),
    Row("mail_switch_off", EVERYONE, about="mail link"),
    Row("mail_switch_off", EVERYONE, "post", "mail link"),
    Row("own_data", EVERYONE_IN),
    Row("own_data_file", EVERYONE_IN),
    Row("account_change_password", EVERYONE_IN),
    Row("account_set_password", (302, 302, 302, 302, 302, 302)),
    Row("account_reset_password", EVERYONE),
    Row("account_reset_password_done", EVERYONE),
    Row("account_reset_password_from_key", EVERYONE, about="token"),
    Row("account_reset_password_from_key_done", EVERYONE),
    Row("course_new", (200, 403, 403, 403, 200, 302)),
    Row("course_join", EVERYONE_IN),
    Row("course", MEMBERS, about="course"),
    Row("course_edit", INSTRUCTORS, about="course"),
    Row("course_code", INSTRUCTORS_DO, "post", "course"),
    Row("course_code_expiry", INSTRUCTORS, about="course"),
    Row("course_code_expiry", INSTRUCTORS_DO, "post", "course", {"code_expires_at": ""}),
    Row("member_restore", INSTRUCTORS_DO, "post", "removed member"),
    Row("members", GRADERS, about="course"),
    Row("member_role", INSTRUCTORS_DO, "post", "member", {"role": "ta"}),
    Row("member_delete", INSTRUCTORS, about="member"),
    Row("member_delete", INSTRUCTORS_DO, "post", "member"),
    Row("assignment_new", INSTRUCTORS, about="course"),
    Row("assignment", MEMBERS, about="assignment"),
    Row("assignment_edit", INSTRUCTORS, about="assignment"),
    Row("assignment_state", INSTRUCTORS_DO, "post", "assignment", {"state": "open"}),
    Row("extensions", GRADERS, about="assignment"),
    Row("extension_add", (422, 403, 403, 403, 404, 302), "post", "assignment"),
    Row("extension_change", INSTRUCTORS, about="extension"),
    Row("extension_change", (422, 403, 403, 403, 404, 302), "post", "extension", {"reason": ""}),
    Row("extension_remove", INSTRUCTORS_DO, "post", "extension"),
    Row("score_changes", GRADERS, about="assignment"),
    Row("score_changes_dismiss", INSTRUCTORS_DO, "post", "assignment", {"method": "classroom-7"}),
    Row("references", GRADERS, about="assignment"),
    Row("references", INSTRUCTORS_DO, "post", "assignment", {"text": "A new reference."}),
    Row("reference_edit", INSTRUCTORS, about="reference"),
    Row("reference_delete", INSTRUCTORS, about="reference"),
    Row("reference_delete", INSTRUCTORS_DO, "post", "reference"),
    Row("pyramid", GRADERS, about="assignment"),
    Row("pyramid_build", INSTRUCTORS_DO, "post", "assignment"),
    Row("pyramid_file", GRADERS, about="assignment"),
    Row("draft_empty", INSTRUCTORS_DO, "post", "assignment"),
    Row("draft_rubric", INSTRUCTORS, about="assignment"),
    Row("draft_rubric", INSTRUCTORS, "post", "assignment", {"statements": "Heat | 2\nTrees"}),
    Row("draft_import", INSTRUCTORS, about="assignment"),
    Row("draft_import", (422, 403, 403, 403, 404, 302), "post", "assignment"),
    Row("draft_make", INSTRUCTORS_DO, "post", "assignment"),
    *(Row("draft_file", GRADERS, about=f"draft {kind}") for kind in FILE_KINDS),
    *(Row("version_file", GRADERS, about=f"version {kind}") for kind in FILE_KINDS),
    Row("draft_print", GRADERS, about="draft"),
    Row("version_print", GRADERS, about="version"),
    Row("draft_new", INSTRUCTORS, about="assignment"),
    Row("draft_from_version", INSTRUCTORS_DO, "post", "version"),
    Row("draft_publish", INSTRUCTORS, about="draft"),
    Row("draft_publish", INSTRUCTORS_DO, "post", "draft", {"revision": "0", "same": "on"}),
    Row("draft", GRADERS, about="draft"),
    Row("draft_scu", GRADERS, about="draft idea"),
    Row("draft_changes", (204, 204, 403, 403, 404, 302), "get", "draft", {"since": "0"}),
    Row("draft_ideas", GRADERS, about="draft"),
    Row("draft_edit", INSTRUCTORS_DO, "post", "draft", NEW_LABEL),
    Row("draft_undo", INSTRUCTORS_DO, "post", "draft", {"revision": "0"}),
    Row("draft_redo", INSTRUCTORS_DO, "post", "draft", {"revision": "0"}),
    Row("draft_effect", GRADERS, about="draft"),
    Row("draft_effect", INSTRUCTORS_DO, "post", "draft"),
    Row("draft_analysis", GRADERS, about="draft"),
    Row("draft_analysis", INSTRUCTORS_DO, "post", "draft"),
    Row("suggestion_accept", INSTRUCTORS_DO, "post", "suggestion", {"revision": "0"}),
    Row("suggestion_dismiss", INSTRUCTORS_DO, "post", "suggestion"),
    Row("suggestion_restore", INSTRUCTORS_DO, "post", "suggestion"),
    Row("draft_quality", GRADERS, about="draft"),
    Row("draft_history", GRADERS, about="draft"),
    Row("draft_state", GRADERS, about="draft state"),
    Row("draft_restore", INSTRUCTORS_DO, "post", "draft state", {"revision": "0"}),
    Row("draft_discard", INSTRUCTORS, about="draft"),
    Row("draft_discard", INSTRUCTORS_DO, "post", "draft"),
    Row("draft_bring_back", INSTRUCTORS_DO, "post", "draft"),
    Row("version", GRADERS, about="version"),
    Row("versions_compare", GRADERS, about="assignment"),
    Row("submit", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("submit", (403, 403, 302, 302, 404, 302), "post", "assignment", {"text": NEW_SUMMARY}),
    Row("writing", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("writing", (403, 403, 302, 302, 404, 302), "post", "assignment", {"text": NEW_SUMMARY}),
    Row("writing_file", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("writing_file", (403, 403, 422, 422, 404, 302), "post", "assignment"),
    Row("writing_bring_back", (403, 403, 302, 302, 404, 302), "get", "assignment"),
    Row("writing_bring_back", (403, 403, 302, 302, 404, 302), "post", "assignment"),
    Row("submission", OWN, about="submission"),
    Row("submission", OWN, about="submission", data={"ideas": "all"}),
    Row("submission", OWN, about="submission", data={"sentence": "1"}),
    Row("submission_as_student", GRADERS, about="submission"),
    Row("second_look_new", ONLY_THE_STUDENT, about="submission"),
    Row("second_look_new", THE_STUDENT_DOES, "post", "submission", NEW_REQUEST),
    Row("second_looks", GRADERS, about="assignment"),
    Row("second_look", GRADERS, about="second look"),
    Row("second_look_answer", (422, 422, 403, 403, 404, 302), "post", "second look"),
    Row("second_look_withdraw", THE_STUDENT_DOES, "post", "second look"),
    Row("attempts_compare", OWN, about="submission"),
    Row("release", GRADERS, about="assignment"),
    Row("release", (302, 302, 403, 403, 404, 302), "post", "assignment", RELEASE_ALL),
    Row("gradebook", GRADERS, about="assignment"),
    Row("gradebook_file", (302, 302, 403, 403, 404, 302), about="assignment"),
    # The roster and work in bulk
    Row("roster", INSTRUCTORS, about="course"),
    Row("roster", (422, 403, 403, 403, 404, 302), "post", "course"),
    Row("roster_apply", INSTRUCTORS_DO, "post", "course"),
    Row("member_link", INSTRUCTORS, "post", "roster member"),
    Row("member_links", INSTRUCTORS, "post", "course"),
    Row("submission_import", GRADERS, about="assignment"),
    Row("submission_import", (422, 422, 403, 403, 404, 302), "post", "assignment"),
    Row("work_import", GRADERS, about="work import"),
    Row("import_take_in", (422, 422, 403, 403, 404, 302), "post", "work import"),
    Row("import_discard", (302, 302, 403, 403, 404, 302), "post", "work import"),
    # The queue
    Row("queue", GRADERS, about="assignment"),
    Row("queue_start", GRADERS_DO, "post", "assignment"),
    Row("queue_do", GRADERS_DO, "post", "assignment", {"what": "claim"}),
    Row("queue_flags", GRADERS_DO, "post", "assignment"),
    Row("queue_names", INSTRUCTORS_DO, "post", "assignment", {"names": "hidden"}),
    Row("queue_view_new", GRADERS_DO, "post", "assignment", {"name": "Late ones"}),
    Row("queue_view_delete", (404, 302, 404, 404, 404, 302), "post", "queue view"),
    Row("review", GRADERS_DO, "post", "submission", {"what": "looked_next"}),
    Row("review_state", GRADERS, about="submission"),
    Row("likeness", GRADERS, about="two submissions"),
    # Correcting
    Row("marking", GRADERS, about="submission"),
    Row("marking_step", (409, 409, 403, 403, 404, 302), "post", "submission", {"do": "undo"}),
    Row("same_wording", GRADERS, about="marking step"),
    Row(
        "same_wording",
        (422, 422, 403, 403, 404, 302),
        "post",
        "marking step",
        {"do": "copy"},
    ),
    Row("saved_comments", GRADERS, about="course"),
    Row("saved_comments", (422, 302, 403, 403, 404, 302), "post", "course", SAVED_COMMENT),
    Row("saved_comment_edit", GRADERS, about="saved comment"),
    Row("saved_comment_edit", GRADERS_DO, "post", "saved comment", SAVED_COMMENT),
    Row("comment_new", GRADERS_DO, "post", "submission", NEW_COMMENT),
    Row(
        "comment_reword", (403, 302, 403, 403, 404, 302), "post", "comment", {"comment": "Better."}
    ),
    Row("comment_remove", (403, 302, 403, 403, 404, 302), "post", "comment"),
    Row("comment_return", (403, 302, 403, 403, 404, 302), "post", "comment"),
    Row("annotation_file", GRADERS, about="submission"),
    Row("annotation_upload", GRADERS, about="submission"),
    Row("annotation_upload", (422, 422, 403, 403, 404, 302), "post", "submission"),
    Row("annotations_file", GRADERS, about="assignment"),
    Row("annotations", GRADERS, about="assignment"),
    Row("annotations", (422, 422, 403, 403, 404, 302), "post", "assignment"),
    Row("annotations_take", GRADERS_DO, "post", "assignment"),
    # Calibration
    Row("calibration", GRADERS, about="assignment"),
    Row("calibration", (422, 422, 403, 403, 404, 302), "post", "assignment", {"texts": "1"}),
    Row("calibration_text", GRADERS, about="sample text"),
    Row("calibration_text", (302, 302, 403, 403, 404, 302), "post", "sample text"),
    Row("calibration_result", GRADERS, about="sample"),
    Row("calibration_delete", INSTRUCTORS, about="sample"),
    Row("calibration_delete", INSTRUCTORS_DO, "post", "sample"),
    Row("calibration_file", GRADERS, about="sample ideas"),
    Row("calibration_file", GRADERS, about="sample scores"),
    Row("calibration_learning", INSTRUCTORS, about="assignment"),
    Row("calibration_learning", INSTRUCTORS_DO, "post", "assignment", A_RULE),
    Row("calibration_learning_set", INSTRUCTORS_DO, "post", "assignment", {"trial": "now"}),
    Row("calibration_learning_undo", INSTRUCTORS_DO, "post", "assignment", {"change": "1"}),
    Row("second_look_figures", GRADERS, about="assignment"),
    # The class
    Row("class_figures", GRADERS, about="assignment"),
    Row("class_ideas", GRADERS, about="assignment"),
    Row("class_ideas_file", GRADERS, about="assignment"),
    Row("class_idea", GRADERS, about="class idea"),
    Row("class_missed", GRADERS, about="assignment"),
    Row("class_help", GRADERS, about="assignment"),
    Row("class_new_ideas", GRADERS, about="assignment"),
    Row("class_new_ideas", (302, 302, 403, 403, 404, 302), "post", "assignment"),
    Row("class_new_idea_take", INSTRUCTORS_DO, "post", "draft", {"label": "Heat"}),
    Row("class_sections", GRADERS, about="assignment"),
    Row("class_opinions", GRADERS, about="assignment"),
    Row("second_opinions", INSTRUCTORS, about="assignment"),
    Row("second_opinions", INSTRUCTORS_DO, "post", "assignment", OPINIONS),
    Row("opinion_methods", GRADERS, about="assignment"),
    Row("submission_opinions", GRADERS, about="submission"),
    # From scores to grades
    Row("grade_rule", GRADERS, about="assignment"),
    Row("grade_rule", INSTRUCTORS, "post", "assignment", RULE),
    Row("manual_grade", GRADERS, about="class student"),
    Row("manual_grade", GRADERS, "post", "class student", MANUAL_GRADE),
    # Gradebook files
    Row("gradebook_export", GRADERS, about="assignment"),
    Row("gradebook_export", (422, 422, 403, 403, 404, 302), "post", "assignment"),
    Row("gradebook_fresh", GRADERS, "get", "assignment", FRESH_CSV),
    Row("gradebook_fresh", (409, 409, 403, 403, 404, 302), "post", "assignment", FRESH_CSV),
    Row("gradebook_fill", GRADERS, about="gradebook upload"),
    Row("gradebook_fill", (422, 422, 403, 403, 404, 302), "post", "gradebook upload"),
    Row("gradebook_exported_file", GRADERS, about="gradebook export"),
    # Housekeeping
    Row("assignment_copy", INSTRUCTORS, about="assignment"),
    Row("assignment_copy", (422, 403, 403, 403, 404, 302), "post", "assignment", NOTHING_SAID),
    Row("course_copy", (200, 403, 403, 403, 404, 302), about="course"),
    Row("course_copy", (422, 403, 403, 403, 404, 302), "post", "course", NOTHING_SAID),
    Row("assignment_archive", INSTRUCTORS_DO, "post", "assignment"),
    Row("course_archive", INSTRUCTORS_DO, "post", "course"),
    Row("assignment_delete", INSTRUCTORS, about="assignment"),
    Row("assignment_delete", INSTRUCTORS_DO, "post", "assignment", {"typed": TITLE}),
    Row("course_delete", INSTRUCTORS, about="course"),
    Row("course_delete", INSTRUCTORS_DO, "post", "course", {"typed": "Academic Writing"}),
    Row("student_delete", INSTRUCTORS, about="student's data"),
    Row("student_delete", INSTRUCTORS_DO, "post", "student's data", {"typed": "Spare"}),
    Row("deletions", INSTRUCTORS, about="course"),
    Row("deletion_bring_back", INSTRUCTORS_DO, "post", "deletion"),
    Row("course_exports", INSTRUCTORS, about="course"),
    Row("course_exports", INSTRUCTORS_DO, "post", "course"),
    Row("course_file", INSTRUCTORS, about="export"),
    Row("course_import", (200, 403, 403, 403, 200, 302)),
    Row("course_import", (422, 403, 403, 403, 422, 302), "post", "", NOTHING_SAID),
    Row("course_import_look", (200, 404, 404, 404, 404, 302), about="import"),
    Row("course_import_look", (422, 404, 404, 404, 404, 302), "post", "import", NOTHING_SAID),
    Row("course_job", INSTRUCTORS, about="export job"),
    Row("course_job_try_again", INSTRUCTORS_DO, "post", "export job"),
    # Operations: nobody of the cast is an administrator
    Row("operations", NOBODY_OF_THEM),
    Row("operations_job_retry", NOBODY_OF_THEM, "post", "any job"),
    Row("operations_job_cancel", NOBODY_OF_THEM, "post", "any job"),
    Row("audit_log", NOBODY_OF_THEM),
    Row("course_audit_log", INSTRUCTORS, about="course"),
    # LTI: who has not come from an LMS has no state, and nobody of the cast is an administrator
    Row("lti_login", REFUSED),
    Row("lti_launch", REFUSED, "post"),
    Row("lti_launch_stored", REFUSED, "post"),
    Row("lti_jwks", EVERYONE),
    Row("lti_canvas", EVERYONE),
    Row("lti_register", (404, 404, 404, 404, 404, 404), about="lti token"),
    Row("lti_connect", (404, 404, 404, 404, 404, 404), about="lti token"),
    Row("lti_course", (200, 403, 404, 404, 404, 302), about="new lti context"),
    Row("lti_course", (302, 403, 404, 404, 404, 302), "post", "new lti context", {"course": ""}),
    Row("lti_deep_link", (404, 403, 404, 404, 404, 302), about="new lti context"),
    Row("lti_sync", INSTRUCTORS_DO, "post", "lti context"),
    Row("lti_people", (422, 403, 403, 403, 404, 302), about="lti context"),
    Row("lti_unlink", INSTRUCTORS_DO, "post", "lti context"),
    Row("lti_link", INSTRUCTORS, about="lti link"),
    Row("lti_link", INSTRUCTORS_DO, "post", "lti link", {"title": "A new one"}),
    Row("course_lms", INSTRUCTORS, about="course"),
    Row("lti_grades", INSTRUCTORS_DO, "post", "assignment"),
    Row("lti_platforms", NOBODY_OF_THEM),
    Row("lti_invitation", NOBODY_OF_THEM, "post"),
    Row("lti_platform_new", NOBODY_OF_THEM),
    Row("lti_platform", NOBODY_OF_THEM, about="lti platform"),
    Row("lti_deployment_new", NOBODY_OF_THEM, "post", "lti platform"),
    Row("lti_deployment", NOBODY_OF_THEM, "post", "lti deployment"),
    Row("job", OWN, about="job"),
    Row("job", GRADERS, about="class job"),
    Row("job_try_again", (302, 302, 302, 403, 404, 302), "post", "job"),
)
