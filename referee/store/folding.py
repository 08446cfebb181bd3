"""How texts are compared in a search: CAFÉ, café and ＣＡＦÉ are one word, however composed."""

from __future__ import annotations

from referee.core.normalised import normalised


def folded(text: str) -> str:
    """``text`` composed (NFKC), in capitals: these do not tell ß from ss, nor σ from ς."""
    return normalised(text).upper()


def pattern(word: str) -> str:
    """The pattern for LIKE ``… ESCAPE '\\'`` of folded texts that contain ``word``."""
    said = folded(word)
    return "%" + said.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
