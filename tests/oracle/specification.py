"""
The conformance tests of the CEL specification, transcribed: `python -m tests.oracle.specification FOLDER`.

They are in the Go module cel.dev/expr, which the oracle's program needs anyway: FOLDER is its tests/simple/testdata. What is about protobuf
messages and functions of one's own, containers or unknown values is left out, since Kubernetes has none of that. Values are written as CEL.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .textproto import Message, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VECTORS = Path(__file__).parents[1] / "vectors"
#: The files with anything about what Kubernetes enables, in the order of the result.
TOPICS = (
    "basic",
    "bindings_ext",
    "comparisons",
    "conversions",
    "dynamic",
    "fields",
    "fp_math",
    "integer_math",
    "lists",
    "logic",
    "macros",
    "macros2",
    "namespace",
    "optionals",
    "parse",
    "plumbing",
    "string",
    "string_ext",
    "timestamps",
    "type_deduction",
    "wrappers",
)
_PRIMITIVES = {"BOOL": "bool", "INT64": "int", "UINT64": "uint", "DOUBLE": "double", "STRING": "string", "BYTES": "bytes"}
_WELL_KNOWN = {"ANY": "google.protobuf.Any", "TIMESTAMP": "google.protobuf.Timestamp", "DURATION": "google.protobuf.Duration"}


class Foreign(Exception):
    """Something that Kubernetes does not have."""


def cases(folder: Path) -> Iterator[dict[str, Any]]:
    """Give every case of the topics."""
    for topic in TOPICS:
        for section in parse((folder / f"{topic}.textproto").read_text(encoding="utf-8"))["section"]:
            for test in section.get("test", ()):
                try:
                    case = _case(test)
                except Foreign:
                    continue
                yield {"topic": topic, "section": text(section["name"][0]), **case}


def text(content: bytes) -> str:
    """Read a text."""
    return content.decode()


def _case(test: Message) -> dict[str, Any]:
    """Give a test as data."""
    expression = text(test["expr"][0])
    if test.get("container") or "TestAllTypes" in expression or "cel.expr." in expression or "unknown" in test or "any_unknowns" in test:
        raise Foreign
    case: dict[str, Any] = {"name": text(test["name"][0]), "expr": expression}
    if any("ident" not in entry for entry in test.get("type_env", ())):
        raise Foreign
    declared = {text(entry["name"][0]): _type(entry["ident"][0]["type"][0]) for entry in test.get("type_env", ())}
    bound = {text(entry["key"][0]): _value(entry["value"][0]["value"][0]) for entry in test.get("bindings", ()) if "value" in entry["value"][0]}
    if len(bound) < len(test.get("bindings", ())):
        raise Foreign
    if declared or bound:
        case["variables"] = {name: [declared.get(name, "dyn"), bound.get(name)] for name in {**declared, **bound}}
    if test.get("disable_check") == ["true"]:
        case["unchecked"] = True
    if "typed_result" in test:
        result = test["typed_result"][0]
        if "deduced_type" in result:
            case["type"] = _type(result["deduced_type"][0])
        if "result" in result:
            case["value"] = _value(result["result"][0])
    elif "value" in test:
        case["value"] = _value(test["value"][0])
    elif "eval_error" in test or "any_eval_errors" in test:
        case["error"] = True
    else:
        case["value"] = "true"
    return case


# Values.


def _value(value: Message) -> str:
    """Write a value as CEL."""
    ((kind, (content,)),) = value.items()
    return _VALUES[kind](content)


def quoted(content: str) -> str:
    """Write a text as CEL."""
    return json.dumps(content, ensure_ascii=False).replace("\\u007f", "\x7f")


def _double(number: str) -> str:
    """Write a double."""
    special = {"nan": "0.0 / 0.0", "inf": "1.0 / 0.0", "infinity": "1.0 / 0.0", "-inf": "-1.0 / 0.0", "-infinity": "-1.0 / 0.0"}
    if number.lower() in special:
        return f"({special[number.lower()]})"
    return repr(float(number))


def _list(content: Message) -> str:
    """Write a list, whose elements may be of any types."""
    return f"[{', '.join(f'dyn({_value(element)})' for element in content.get('values', ()))}]"


def _map(content: Message) -> str:
    """Write a map."""
    entries = (f"dyn({_value(entry['key'][0])}): dyn({_value(entry['value'][0])})" for entry in content.get("entries", ()))
    return f"{{{', '.join(entries)}}}"


def _object(content: Message) -> str:
    """Write a packed message that stands for a CEL value."""
    ((name, (fields,)),) = content.items()
    kind = name.strip("[]").partition("/")[2]
    seconds, nanos = (int(fields.get(field, ["0"])[0]) for field in ("seconds", "nanos")) if isinstance(fields, dict) else (0, 0)
    if kind == "google.protobuf.Duration":
        return f'duration("{seconds * 10**9 + nanos}ns")'
    if kind == "google.protobuf.Timestamp":
        return f'(timestamp({seconds}) + duration("{nanos}ns"))'
    raise Foreign


_VALUES: dict[str, Callable[[Any], str]] = {
    "null_value": lambda _: "null",
    "bool_value": lambda word: word,
    "int64_value": lambda word: word,
    "uint64_value": lambda word: f"{word}u",
    "double_value": _double,
    "string_value": lambda content: quoted(text(content)),
    "bytes_value": lambda content: 'b"' + "".join(f"\\x{byte:02x}" for byte in content) + '"',
    "list_value": _list,
    "map_value": _map,
    "object_value": _object,
    "type_value": text,
    "enum_value": lambda _: _foreign(),
}


def _foreign() -> str:
    raise Foreign


# Types.


def _type(type_: Message) -> str:
    """Write a type as cel-go does."""
    ((kind, (content,)),) = type_.items()
    match kind:
        case "primitive":
            return _PRIMITIVES[content]
        case "wrapper":
            return f"wrapper({_PRIMITIVES[content]})"
        case "well_known":
            return _WELL_KNOWN[content]
        case "list_type":
            return f"list({_type(content['elem_type'][0])})" if content else "list(dyn)"
        case "map_type":
            return f"map({_type(content['key_type'][0])}, {_type(content['value_type'][0])})"
        case "abstract_type":
            parameters = content.get("parameter_types", ())
            return f"{text(content['name'][0])}({', '.join(map(_type, parameters))})"
        case "type":
            return f"type({_type(content)})" if content else "type"
        case "null":
            return "null_type"
        case "dyn":
            return "dyn"
        case _:
            raise Foreign


def write(folder: Path) -> int:
    """Write the cases to tests/vectors and give their number."""
    lines = [json.dumps(case, ensure_ascii=False) + "\n" for case in cases(folder)]
    with (VECTORS / "cel-spec.jsonl.gz").open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.write("".join(lines).encode())
    return len(lines)


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
