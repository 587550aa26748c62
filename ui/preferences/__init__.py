"""The window of preferences."""
