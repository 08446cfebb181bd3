"""``python -m referee``: the command, where no script was installed."""

from referee.cli import main

main()
