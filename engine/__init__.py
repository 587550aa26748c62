"""Cutaway's inference engine on MLX: the public names."""
