"""ペアーズ大富豪 on screen: the table page and the quick checks."""

from referee.screens.pairs_daifugo.board import PairsDaifugoScreen

SCREEN = PairsDaifugoScreen("pairs_daifugo")
