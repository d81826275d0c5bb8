"""The clocks of the client. Tests replace them."""

from time import monotonic, time

__all__ = ["monotonic", "time"]
