"""What the Python client returns, in the words of the TypeScript client."""

from __future__ import annotations

import dataclasses
from datetime import date, datetime
from typing import Any


def camel_case(told: Any) -> Any:
    """A value that ``json.dumps`` can write: names are camelCase, and times and days are text. ``None`` is absent."""
    if dataclasses.is_dataclass(told) and not isinstance(told, type):
        properties = [name for name in dir(told) if isinstance(getattr(type(told), name), property)]
        names = [field.name for field in dataclasses.fields(told)] + properties
        named = [(name, getattr(told, name)) for name in names if not name.startswith("_")]
        return {_name(name): camel_case(value) for name, value in named if value is not None}
    if isinstance(told, dict):
        return {name: camel_case(value) for name, value in told.items()}
    if isinstance(told, (list, tuple)):
        return [camel_case(each) for each in told]
    if isinstance(told, datetime):
        assert told.utcoffset() is not None, "a time without a time zone"
        return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return told.isoformat() if isinstance(told, date) else told


def _name(name: str) -> str:
    first, *others = name.rstrip("_").split("_")
    return first + "".join(each.capitalize() for each in others)
