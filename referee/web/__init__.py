"""Forms and pages. Nothing here knows a rule or a table of the database: both are asked of the desk."""
