"""Fetch and authorise in one call. No view looks a row up by id any other way.

Whoever does not belong to the course gets 404: the row might as well not exist. A member whose role
does not allow it gets 403. What a student may not yet see (a draft) does not exist for students.

What is archived can only be read: a request that writes gets 403 from whichever function it asks.
What is about to be deleted does not exist for anybody. What can be done all the same goes through
``kept_courses``.
"""

from grading.access.api import get_own_token_for, get_webhook_for
from grading.access.assignments import (
    get_assignment,
    get_assignment_for,
    get_editable_assignment_for,
    get_editable_reference_for,
    get_exportable_assignment_for,
    get_extension_for,
    get_gradebook_export_for,
    get_gradebook_upload_for,
    get_graded_assignment_for,
    get_graded_reference_for,
    get_graded_student_for,
    get_own_queue_view_for,
    get_submittable_assignment_for,
)
from grading.access.calibration import (
    get_calibration_result_for,
    get_calibration_round_for,
    get_calibration_text_for,
    get_editable_calibration_round_for,
)
from grading.access.courses import (
    get_course_creator,
    get_grader_membership_for,
    get_instructor_membership_for,
    get_member_for,
    get_membership_even_if_archived,
    get_membership_for,
    get_memberships_of,
    get_removed_member_for,
    get_saved_comment_for,
)
from grading.access.intake import (
    get_import_for,
    get_linkable_member_for,
)
from grading.access.jobs import (
    get_job_for,
)
from grading.access.kept_courses import (
    get_assignment_even_if_archived_for,
    get_course_even_if_archived_for,
    get_course_file_for,
    get_course_job_for,
    get_courses_to_fill,
    get_courses_to_restore,
    get_deletion_for,
    get_file_to_import_for,
    get_pending_deletions,
    get_pending_deletions_of_student,
    get_people_with_data,
    get_person_of_for,
)
from grading.access.log_ins import (
    get_client_address,
    get_tried_login,
)
from grading.access.lti import (
    get_course_lti_context_for,
    get_lti_context_for,
    get_lti_deployment_for,
    get_lti_link_for,
    get_lti_platform_for,
)
from grading.access.mail import (
    can_receive_mail,
    mail_is_set_up,
)
from grading.access.operators import (
    get_operated_job,
    get_operator,
)
from grading.access.pyramids import (
    get_draft_for,
    get_editable_draft_for,
    get_editable_version_for,
    get_version_for,
)
from grading.access.submissions import (
    get_answerable_second_look_for,
    get_askable_submission_for,
    get_graded_second_look_for,
    get_graded_submission_for,
    get_markable_submission_for,
    get_own_comment_for,
    get_own_second_look_for,
    get_score_for,
    get_sight_of,
    get_submission_for,
    get_two_graded_submissions_for,
)
from grading.access.visits import (
    Visit,
    get_visit,
    visiting,
)

__all__ = [
    "Visit",
    "can_receive_mail",
    "get_answerable_second_look_for",
    "get_askable_submission_for",
    "get_assignment",
    "get_assignment_even_if_archived_for",
    "get_assignment_for",
    "get_calibration_result_for",
    "get_calibration_round_for",
    "get_calibration_text_for",
    "get_client_address",
    "get_course_creator",
    "get_course_even_if_archived_for",
    "get_course_file_for",
    "get_course_job_for",
    "get_course_lti_context_for",
    "get_courses_to_fill",
    "get_courses_to_restore",
    "get_deletion_for",
    "get_draft_for",
    "get_editable_assignment_for",
    "get_editable_calibration_round_for",
    "get_editable_draft_for",
    "get_editable_reference_for",
    "get_editable_version_for",
    "get_exportable_assignment_for",
    "get_extension_for",
    "get_file_to_import_for",
    "get_gradebook_export_for",
    "get_gradebook_upload_for",
    "get_graded_assignment_for",
    "get_graded_reference_for",
    "get_graded_second_look_for",
    "get_graded_student_for",
    "get_graded_submission_for",
    "get_grader_membership_for",
    "get_import_for",
    "get_instructor_membership_for",
    "get_job_for",
    "get_linkable_member_for",
    "get_lti_context_for",
    "get_lti_deployment_for",
    "get_lti_link_for",
    "get_lti_platform_for",
    "get_markable_submission_for",
    "get_member_for",
    "get_membership_even_if_archived",
    "get_membership_for",
    "get_memberships_of",
    "get_operated_job",
    "get_operator",
    "get_own_comment_for",
    "get_own_queue_view_for",
    "get_own_second_look_for",
    "get_own_token_for",
    "get_pending_deletions",
    "get_pending_deletions_of_student",
    "get_people_with_data",
    "get_person_of_for",
    "get_removed_member_for",
    "get_saved_comment_for",
    "get_score_for",
    "get_sight_of",
    "get_submission_for",
    "get_submittable_assignment_for",
    "get_tried_login",
    "get_two_graded_submissions_for",
    "get_version_for",
    "get_visit",
    "get_webhook_for",
    "mail_is_set_up",
    "visiting",
]
