"""The sentences of the engine's claims and notes, one file per exhibit, for translation."""
