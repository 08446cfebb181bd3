"""The honest player of ペリテ (``games.simulation``)."""

from referee.games.families.must_not_follow_player import entries as entries
