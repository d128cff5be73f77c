"""The protocol as TypeScript, made from the messages' JSON schema: `python -m qwixx.server.typescript > FILE`."""

from typing import Any, get_args

from qwixx.server.protocol import AnyAnswer, AnyRequest, schema

_HEAD = "// Made from src/qwixx/server/protocol.py by `make types`. Do not edit.\n"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_UNIONS = {"Request": AnyRequest, "Answer": AnyAnswer}

Schema = dict[str, Any]


def typescript() -> str:
    """One exported type for each message and what it is made of, and the two unions of messages."""
    schemas = schema()
    types = [_declared(name, schemas[name]) for name in sorted(schemas)]
    unions = [_union(name, of) for name, of in _UNIONS.items()]
    return "\n".join([_HEAD, *types, *unions, ""])


def _declared(name: str, described: Schema) -> str:
    comment = f"/** {described['description']} */\n" if "description" in described else ""
    if "properties" not in described:
        return f"{comment}export type {name} = {_type(described)};\n"
    optional = described["properties"].keys() - set(described.get("required", []))
    fields = [
        f"  {field}{'?' if field in optional else ''}: {_type(kind)};"
        for field, kind in described["properties"].items()
    ]
    return "\n".join([f"{comment}export interface {name} {{", *fields, "}\n"])


def _union(name: str, of: object) -> str:
    return f"export type {name} = {' | '.join(kind.__name__ for kind in get_args(of))};"


def _type(kind: Schema) -> str:
    match kind:
        case {"$ref": ref}:
            return str(ref).rsplit("/", 1)[-1]
        case {"anyOf": options}:
            return " | ".join(map(_type, options))
        case {"enum": values}:
            return " | ".join(f'"{value}"' for value in values)
        case {"type": "array", "items": items}:
            return f"({_type(items)})[]" if "anyOf" in items else f"{_type(items)}[]"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string, {_type(values)}>"
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": str(name)}:
            return _PLAIN[name]
    return "unknown"


if __name__ == "__main__":
    print(typescript(), end="")
