"""Forms and pages. They contain no rules and no SQL, and use the ledger."""
