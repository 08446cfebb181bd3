"""``python -m referee``: runs the command where no ``referee`` script is installed."""

from referee.cli import main

main()
