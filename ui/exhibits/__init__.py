"""The exhibits: an index at the left, and one page that shows whichever is chosen."""
