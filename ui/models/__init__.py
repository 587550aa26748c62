"""The page of models: those that are here, finding others, fetching them, comparing them."""
