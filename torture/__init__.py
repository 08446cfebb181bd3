"""How reliable the record is: kills, power cuts and failing disks, and a checker.

``python -m torture`` tries all of it and prints the faults; `tests/torture` runs a small part.
"""
