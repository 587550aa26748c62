"""Work for the engine's thread, one file per area; only these functions see the model."""
