"""The client of the reseller API of a Bursar service."""
