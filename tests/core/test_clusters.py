"""What people see as one character stays whole: families, flags, letters with their marks."""

from __future__ import annotations

import pytest

from referee.core.clusters import clusters, cut
from referee.core.naming import clean_name, skeleton, usable
from referee.screens.wording import short

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
WHOLE = [
    FAMILY,
    ENGLAND,
    "🇯🇵",
    "👩🏽\u200d⚕\ufe0f",
    "❤\ufe0f\u200d🔥",
    "か\u3099",
    "e\u0323\u0301",
    "葛\U000e0100",
]


@pytest.mark.parametrize("sign", WHOLE)
def test_what_is_seen_as_one_character_is_one(sign: str) -> None:
    assert clusters(f"a{sign}{sign}b") == ["a", sign, sign, "b"]


def test_flags_are_pairs_of_letters() -> None:
    assert clusters("🇯🇵🇬🇧🇫") == ["🇯🇵", "🇬🇧", "🇫"]


@pytest.mark.parametrize("name", [FAMILY, ENGLAND, f"アキ{FAMILY}", "👩🏽\u200d⚕\ufe0f", "🇯🇵"])
def test_a_name_keeps_its_emoji(name: str) -> None:
    assert clean_name(name) == name
    assert clean_name(clean_name(name)) == name
    assert usable(name)
    assert skeleton(name)


@pytest.mark.parametrize(
    "hidden", ["ア\u200dキ", "\u200dアキ", "アキ\u200d", "アキ\U000e0067\U000e007f"]
)
def test_a_joiner_that_joins_no_emoji_is_not_part_of_a_name(hidden: str) -> None:
    assert clean_name(hidden) == "アキ"


def test_flags_of_regions_do_not_look_alike() -> None:
    assert skeleton(ENGLAND) != skeleton(SCOTLAND)
    assert skeleton(f"{ENGLAND}\ufe0f") == skeleton(ENGLAND)


@pytest.mark.parametrize("sign", WHOLE)
def test_a_text_is_cut_between_characters(sign: str) -> None:
    for most in range(2 * len(sign) + 3):
        kept = cut(f"a{sign}{sign}b", most)
        assert kept in ("", "a", f"a{sign}", f"a{sign}{sign}", f"a{sign}{sign}b")
        assert len(kept) <= most
        assert len(f"{kept}{sign}") > most or kept.count(sign) == 2 or not kept


def test_a_shortened_name_ends_with_a_whole_character() -> None:
    assert short(f"{FAMILY}あ", 2) in ("…", f"{FAMILY}…")
    assert short("アキコ🇯🇵🇯🇵🇯🇵🇯🇵", 8).removesuffix("…").removeprefix("アキコ").count(
        "🇯"
    ) * 2 == len(short("アキコ🇯🇵🇯🇵🇯🇵🇯🇵", 8).removesuffix("…").removeprefix("アキコ"))
