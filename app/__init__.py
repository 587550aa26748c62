"""What joins the window and the engine: worker thread, stores, settings, command line."""

__version__ = "0.1.0"
