"""What every request passes: access, forms, language, fragments, errors, static files."""
