"""The window: Qt widgets that know neither MLX nor the engine."""
