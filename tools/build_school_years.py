"""Make the table of school years (1006 kanji) from KANJIDIC2 as jamdict-data 1.5 packs it.

    python tools/build_school_years.py jamdict.db referee/jukugo/data/school_years_1989.txt

KANJIDIC2 has the grades of 1989, and the twenty kanji that year 4 gained in 2020, which are left
out.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

HEAD = """\
# 学年別漢字配当表 (1006 kanji): one line a school year, 1 to 6.
# The table of 1989, in force from April 1992 to March 2020. A public notice: no copyright in Japan\
 (Copyright Act, article 13).
"""
OF_2020 = "茨媛岡潟岐熊香佐埼崎滋鹿縄井沖栃奈梨阪阜"  # 都道府県の名に使う漢字


def build(database: Path) -> str:
    """The text of the table; within a year the kanji are in the order of JIS X 0208."""
    with closing(sqlite3.connect(database)) as db:
        grades = dict(db.execute("SELECT literal, grade FROM character WHERE grade IS NOT NULL"))
    years = (
        sorted(
            (kanji for kanji, grade in grades.items() if grade == year and kanji not in OF_2020),
            key=lambda kanji: kanji.encode("euc_jp"),
        )
        for year in "123456"
    )
    return HEAD + "".join("".join(year) + "\n" for year in years)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Path(sys.argv[2]).write_text(build(Path(sys.argv[1])), encoding="utf-8")
