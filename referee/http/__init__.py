"""Code for every request: access, forms, language, fragments, errors, static files."""
