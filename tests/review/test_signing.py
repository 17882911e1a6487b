import stat

import pytest

from core.errors import NotAllowed
from core.review.signing import LIFETIME_S, open_ticket, read_secret, sign

SECRET = b"k" * 32


def test_a_link_opens_what_it_was_made_for() -> None:
    ticket = open_ticket(SECRET, sign(SECRET, "asg-1", 3, 2, 1000), 1001)
    assert (ticket.assignment_id, ticket.turn, ticket.number) == ("asg-1", 3, 2)


def test_a_link_lives_between_half_and_the_whole_of_its_time_and_stays_the_same_meanwhile() -> None:
    for now in (0, 1, 1799, 1800, 12345):
        ticket = open_ticket(SECRET, sign(SECRET, "a", 1, 1, now), now)
        assert LIFETIME_S / 2 <= ticket.expires_at - now <= LIFETIME_S
    assert sign(SECRET, "a", 1, 1, 1800) == sign(SECRET, "a", 1, 1, 3599)
    with pytest.raises(NotAllowed):
        open_ticket(SECRET, sign(SECRET, "a", 1, 1, 0), LIFETIME_S)


@pytest.mark.parametrize("bad", ["", ".", "a.b", "é.ü", "abc", "W10.", "." * 50])
def test_a_forged_link_is_refused(bad: str) -> None:
    with pytest.raises(NotAllowed):
        open_ticket(SECRET, bad, 0)


def test_every_changed_letter_is_noticed() -> None:
    token = sign(SECRET, "asg-1", 1, 1, 0)
    for place, letter in enumerate(token):
        other = "A" if letter != "A" else "B"
        changed = token[:place] + other + token[place + 1 :]
        if place == len(token) - 1:
            continue  # the last letter carries two unused bits: it may decode to the same bytes
        with pytest.raises(NotAllowed):
            open_ticket(SECRET, changed, 0)


def test_a_link_of_another_study_is_refused() -> None:
    with pytest.raises(NotAllowed):
        open_ticket(b"x" * 32, sign(SECRET, "a", 1, 1, 0), 0)


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path) -> None:
    secret = read_secret(tmp_path / "study")
    assert len(secret) == 32
    assert read_secret(tmp_path / "study") == secret
    files = list((tmp_path / "study").iterdir())
    assert len(files) == 1
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
