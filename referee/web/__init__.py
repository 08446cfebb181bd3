"""Forms and pages. No rule and no SQL: the desk is asked."""
