"""How far the record can be relied on: kills, power cuts and failing disks, and a checker.

``python -m torture`` runs all of it and prints what it found; `tests/torture` runs a little of it.
"""
