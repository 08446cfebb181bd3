"""How reliable the record is: kills, power cuts and failing disks, and a checker.

``python -m torture`` runs all of it and prints what it found; `tests/torture` runs a small part.
"""
