"""The words of the window in other languages; `update.py` collects what is to be translated."""
