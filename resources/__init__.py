"""Icons, translations and built-in texts."""
