"""What joins the window and the engine: worker thread, stores, settings, command line."""
