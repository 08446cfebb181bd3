"""The honest player of Fancy (``games.simulation``)."""

from referee.games.families.must_not_follow_player import entries as entries
