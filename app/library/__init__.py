"""The model library: what is on disk, what the hub offers, what is being fetched."""
