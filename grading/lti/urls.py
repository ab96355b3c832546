"""Addresses of LTI."""

from django.urls import path

from grading.lti import linking_views, platform_views, views

urlpatterns = [
    path("lti/login/", views.lti_login, name="lti_login"),
    path("lti/launch/", views.lti_launch, name="lti_launch"),
    path("lti/launch/stored/", views.lti_launch_stored, name="lti_launch_stored"),
    path("lti/jwks.json", views.lti_jwks, name="lti_jwks"),
    path("lti/canvas.json", views.lti_canvas, name="lti_canvas"),
    path("lti/register/<str:token>/", views.lti_register, name="lti_register"),
    path("lti/connect/<str:token>/", linking_views.lti_connect, name="lti_connect"),
    path("lti/courses/<id:pk>/", linking_views.lti_course, name="lti_course"),
    path("lti/courses/<id:pk>/choose/", linking_views.lti_deep_link, name="lti_deep_link"),
    path("lti/courses/<id:pk>/sync/", linking_views.lti_sync, name="lti_sync"),
    path("lti/courses/<id:pk>/people/", linking_views.lti_people, name="lti_people"),
    path("lti/courses/<id:pk>/unlink/", linking_views.lti_unlink, name="lti_unlink"),
    path("lti/links/<id:pk>/", linking_views.lti_link, name="lti_link"),
    path("courses/<id:pk>/lms/", linking_views.course_lms, name="course_lms"),
    path("assignments/<id:pk>/lms/send/", linking_views.lti_grades, name="lti_grades"),
    path("lti/platforms/", platform_views.lti_platforms, name="lti_platforms"),
    path("lti/platforms/invitation/", platform_views.lti_invitation, name="lti_invitation"),
    path("lti/platforms/new/", platform_views.lti_platform_new, name="lti_platform_new"),
    path("lti/platforms/<id:pk>/", platform_views.lti_platform, name="lti_platform"),
    path(
        "lti/platforms/<id:pk>/deployments/",
        platform_views.lti_deployment_new,
        name="lti_deployment_new",
    ),
    path("lti/deployments/<id:pk>/", platform_views.lti_deployment, name="lti_deployment"),
]
