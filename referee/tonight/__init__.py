"""Tonight's desk: who sits where in each round, and who leads.

Pure code: values in, values out; no clock, no database, no network. The same input and seed give
the same proposal everywhere. `command` and `lines` are the two commands around it, `reading` and
the two modules ``*_file`` read their input.

Libraries for Swiss tournaments pair two players a board; none has tables of three to five, wishes
and these measures, so the search is written here.
"""
