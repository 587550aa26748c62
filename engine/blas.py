"""Linux only: a fast BLAS for MLX's CPU backend.

The CPU wheel of MLX links the slow reference BLAS by name. Opening OpenBLAS first, with its
symbols global, puts the fast one in its place; float32 products are then about 40 times faster.
"""

import ctypes
import sys


def open_fast_blas() -> bool:
    """Open the system's OpenBLAS; to be called before the first `import mlx.core`.

    Returns:
        Whether the fast products are there; on macOS they always are.
    """
    if sys.platform != "linux":
        return True
    try:
        ctypes.CDLL("libopenblas.so.0", mode=ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    return True
