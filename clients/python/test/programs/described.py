"""Prints what the package has, as JSON: its methods with the names of their arguments, its errors, models and closed lists."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import bursar
from bursar import _models, _options

RESOURCES = ("account", "sub_users", "statement", "events", "webhooks", "tokens", "top_ups", "changes")


def arguments_of(function: Any) -> list[str]:
    """The names of the arguments, those of its options included."""
    names: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        unpacked = re.fullmatch(r"Unpack\[(\w+)\]", str(parameter.annotation))
        if unpacked:
            names += getattr(_options, unpacked[1]).__optional_keys__
        elif name != "self":
            names.append(name)
    return sorted(names)


def methods_of(client: Any) -> dict[str, list[str]]:
    found = {}
    for prefix, target in [("", client), *((f"{name}.", getattr(client, name)) for name in RESOURCES)]:
        for name, method in inspect.getmembers(target, inspect.ismethod):
            if not name.startswith("_"):
                found[prefix + name] = arguments_of(method)
    return found


def fields_of(model: type) -> list[str]:
    """The fields of a dataclass or of a typed dict, and properties."""
    if dataclasses.is_dataclass(model):
        properties = [name for name, _ in inspect.getmembers(model, lambda value: isinstance(value, property))]
        return sorted([field.name for field in dataclasses.fields(model)] + properties)
    return sorted(getattr(model, "__optional_keys__"))


def event_data() -> dict[str, list[str]]:
    """The fields of the data of each type of event."""
    found = {}
    for event in get_args(bursar.ResellerEvent):
        hints = get_type_hints(event, vars(_models))
        data = hints["data"]
        found[get_args(hints["type"])[0]] = fields_of(data) if dataclasses.is_dataclass(data) else []
    return found


exported = {name: getattr(bursar, name) for name in dir(bursar) if not name.startswith("_")}
classes = {name: value for name, value in exported.items() if isinstance(value, type)}
models = {
    name: fields_of(value)
    for name, value in {**vars(_options), **classes}.items()
    if dataclasses.is_dataclass(value) or hasattr(value, "__optional_keys__")
}
errors = {name: value for name, value in classes.items() if issubclass(value, Exception)}
with bursar.Bursar("https://a.example", "token") as client:
    methods = methods_of(client)
print(
    json.dumps(
        {
            "client": arguments_of(bursar.Bursar),
            "asyncClient": arguments_of(bursar.AsyncBursar),
            "methods": methods,
            "asyncMethods": methods_of(bursar.AsyncBursar("https://a.example", "token")),
            "verifyWebhook": arguments_of(bursar.verify_webhook),
            "errors": {
                name: {"base": error.__base__.__name__, "fields": sorted(inspect.get_annotations(error))}
                for name, error in errors.items()
            },
            "models": models,
            "lists": {name: get_args(value) for name, value in exported.items() if get_origin(value) is Literal},
            "eventData": event_data(),
            "names": sorted(exported),
        }
    )
)
