"""The garbage collector waits while the program starts: looking for it takes a tenth of a start."""

import gc


def begin() -> None:
    """Collect nothing until the window is there: what a start makes lives on."""
    gc.disable()


def end() -> None:
    """Collect as usual."""
    gc.enable()
