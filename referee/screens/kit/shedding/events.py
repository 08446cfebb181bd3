"""What the history counts of shedding games, as rows."""

from __future__ import annotations

from collections.abc import Mapping

from referee.http.language import gettext as _
from referee.kit.families.shedding import feats
from referee.screens.base import Count


def counted(times: Mapping[str, int]) -> Count:
    """Places of deals, then revolutions, tricks cleared, fouls and falls."""
    last = max((int(label) for label in times if label.isdigit()), default=0)
    named = [(str(n), _("%(n)s位", n=n)) for n in range(1, last + 1)]
    named += [
        (feats.REVOLUTION, _("革命")),
        (feats.CLEAR, _("流した")),
        (feats.FOUL, _("反則上がり")),
        (feats.FALL, _("都落ち")),
    ]
    rows = [
        (name, name, times.get(label, 0))
        for label, name in named
        if label in times or label.isdigit()
    ]
    return Count(_("ラウンドの順位"), _("順位と出来事の回数"), _("順位"), rows)
