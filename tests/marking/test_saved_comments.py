"""Saved comments: shared by the graders of a course, and inserted at the desk."""

import pytest
from django.test import Client
from django.urls import reverse

from grading.housekeeping.copies import CopyRules, course_copy
from grading.marking.forms import SavedCommentForm
from grading.models import Comment, SavedComment, Score
from tests.conftest import Cast
from tests.marking.test_views import ClientOf, comment, desk, ta
from tests.scoring.test_corrections import scored

__all__ = ["scored", "ta"]

OWN = {"key": "own-words", "text": "Say it in\r\nyour own words."}


def save(client: Client, cast: Cast, **fields: str) -> int:
    answer = client.post(reverse("saved_comments", args=[cast.course.pk]), OWN | fields)
    return int(answer.status_code)


def test_graders_of_a_course_share_what_they_save(
    cast: Cast, ta: Client, client_of: ClientOf
) -> None:
    assert save(ta, cast) == 302
    saved = SavedComment.objects.get()
    assert (saved.text, saved.author) == ("Say it in\nyour own words.", cast.ta)

    instructor = client_of(cast.instructor)
    list_url = reverse("saved_comments", args=[cast.course.pk])
    assert "/own-words" in instructor.get(list_url).content.decode()
    url = reverse("saved_comment_edit", args=[saved.pk])
    assert b"own-words" in instructor.get(url).content
    instructor.post(url, {"key": "own", "text": "In your own words, please."})
    saved.refresh_from_db()
    assert (saved.key, saved.author) == ("own", cast.ta)

    instructor.post(url, {"delete": ""})
    assert "No saved comments yet" in ta.get(list_url).content.decode()


@pytest.mark.parametrize("key", ["two words", "own/words", "", "-own", "x" * 21])
def test_a_key_is_one_word(cast: Cast, ta: Client, key: str) -> None:
    assert save(ta, cast, key=key) == 422
    assert not SavedComment.objects.exists()


def test_a_key_is_there_once_whatever_its_case(cast: Cast, ta: Client) -> None:
    assert save(ta, cast) == 302
    assert save(ta, cast, key="/OWN-Words") == 422
    SavedComment.objects.create(course=cast.course, key="other", text="Other.")
    url = reverse("saved_comment_edit", args=[SavedComment.objects.get(key="other").pk])
    assert ta.post(url, OWN).status_code == 422
    assert ta.post(url, OWN | {"key": "other"}).status_code == 302


def test_there_is_a_limit(cast: Cast, ta: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SavedCommentForm, "MOST", 1)
    assert save(ta, cast) == 302
    assert save(ta, cast, key="more") == 422


def test_the_desk_offers_them_and_a_form_without_script_sends_one(
    cast: Cast, ta: Client, scored: Score
) -> None:
    save(ta, cast)
    page = desk(ta, scored.submission).content.decode()
    assert 'data-key="own-words"' in page

    text = SavedComment.objects.get().text
    comment(ta, scored.submission, comment="", saved=text)
    comment(ta, scored.submission, comment="And shorter.", saved=text)

    assert [row.text for row in Comment.objects.all()] == [text, f"{text}\nAnd shorter."]
    assert comment(ta, scored.submission, comment="", saved="").status_code == 422
    assert comment(ta, scored.submission, comment="x" * 3_990, saved=text).status_code == 422


def test_a_copied_course_has_them(cast: Cast, ta: Client) -> None:
    save(ta, cast)
    copy = course_copy(
        course=cast.course, name="Next", term="", rules=CopyRules(), author=cast.instructor
    )
    assert [(row.key, row.author) for row in copy.saved_comments.all()] == [("own-words", None)]
