"""The chapters of the format: what a file can declare, and the rules that it is compiled to."""
