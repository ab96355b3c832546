"""Somebody with a browser who clicks on links of the LMS."""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.conf import settings
from django.test import Client

from tests.lti.lms import Change, Lms

TOOL = settings.SITE_URL
IN_FRAME = {"sec-fetch-dest": "iframe"}


class Visitor:
    """``client`` is the browser; each visitor has one of their own."""

    def __init__(self, lms: Lms, person: str, course: str = "course-1") -> None:
        self.lms, self.person, self.course = lms, person, course
        self.client = Client()

    def begin(self, link: str = "link-0", *, deep: bool = False) -> dict[str, str]:
        """Up to where the LMS is asked who it is."""
        url = self.lms.initiation(self.course, self.person, link, deep=deep)
        response = self.client.get(url.removeprefix(TOOL), headers=IN_FRAME)
        assert response.status_code == 302, response.content
        return dict(parse_qsl(urlsplit(response["Location"]).query))

    def bring(self, sent: dict[str, str], **headers: str) -> Any:
        return self.client.post("/lti/launch/", sent, headers={**IN_FRAME, **headers})

    def launch(
        self, link: str = "link-0", *, deep: bool = False, change: Change | None = None, **how: Any
    ) -> Any:
        """The answer to the launch; ``change`` and ``how`` forge it."""
        query = self.begin(link, deep=deep)
        return self.bring(self.lms.authorize(query, change=change, **how))

    def follow(self, response: Any) -> Any:
        assert response.status_code == 302, response.content.decode()
        return self.client.get(response["Location"])
