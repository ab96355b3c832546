"""The page of a text with real scores: made as the worker makes them."""

from collections.abc import Callable

from django.test import Client
from django.urls import reverse

from grading.models import SecondOpinion, User
from tests.scenes import Scene

ClientOf = Callable[[User | None], Client]


def page_of(scene: Scene, client: Client) -> str:
    address = reverse("submission_opinions", kwargs=scene.kwargs["submission"])
    return " ".join(client.get(address).text.split())


def test_the_main_method_marks_the_words_of_its_matches(scene: Scene, client_of: ClientOf) -> None:
    page = page_of(scene, client_of(scene.cast.instructor))

    main = page.split('id="method-main"')[1].split("</section>")[0]
    # Three of three experts say so, in the first sentence.
    assert '<mark class="match match-band-5">Cities are hotter than the country' in main
    assert "weight 3" in main
    assert "rank 1 of 1" in main
    assert "My uncle has a green bicycle" in main
    assert "<mark" not in main[main.index("My uncle") :].split("What it found")[0]


def test_another_method_marks_what_it_found_and_says_how_it_counted(
    scene: Scene, client_of: ClientOf
) -> None:
    page = page_of(scene, client_of(scene.cast.ta))

    rouge = page.split('id="method-rouge-1"')[1].split("</section>")[0]
    assert ">hotter</mark>" in rouge
    assert "bicycle</mark>" not in rouge
    assert "recall" in rouge
    assert f"{SecondOpinion.objects.get().score:.2f}" in rouge


def test_a_held_text_has_no_number_of_the_main_method(scene: Scene, client_of: ClientOf) -> None:
    scene.assignment.submissions.get().scores.update(held=True)

    page = page_of(scene, client_of(scene.cast.ta))

    assert '<strong class="numeric">held</strong>' in page
    assert "rank" not in page.split('id="method-main"')[1].split("</section>")[0]
