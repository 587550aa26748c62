"""The inspector: what the engine is doing, in figures and plots."""
