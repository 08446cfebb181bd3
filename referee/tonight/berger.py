"""Everybody against everybody, by the tables of Berger."""

from __future__ import annotations

from referee.tonight.call import SeatedRound


def rounds_of(people: int) -> int:
    """How many rounds it takes."""
    return people + people % 2 - 1


def round_robin(people: int, rounds: int) -> list[SeatedRound]:
    """The first ``rounds`` rounds."""
    return [_round(people, number) for number in range(1, rounds + 1)]


def _round(people: int, number: int) -> SeatedRound:
    """One round; who would play the last number of an odd list sits out."""
    last = people + people % 2
    x = (number + 1) // 2 if number % 2 else last // 2 + number // 2
    boards = [(x, last) if number % 2 else (last, x)]
    boards += [(_within(x + k, last), _within(x - k, last)) for k in range(1, last // 2)]
    alone = tuple(x - 1 for _ in range(people % 2))
    paired = [() if last > people and last in board else board for board in boards]
    return SeatedRound(tuple(tuple(each - 1 for each in board) for board in paired), alone)


def _within(number: int, last: int) -> int:
    """``number`` counted round and round in 1 … ``last`` - 1."""
    return (number - 1) % (last - 1) + 1
