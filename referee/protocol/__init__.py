"""The protocol of a match: its record, what everybody could see, and a certificate for each proof.

``tools/check_protocol.py`` checks one without this program.
"""
