"""
Room: from a text that a person or `kubectl` wrote to plain objects: JSON, or YAML as Kubernetes' tools read it.

Kubernetes reads YAML 1.1 without its numbers in base 60 and without its dates, so `pciBusID: 0000:27:00.0` is a text here too. What would
unfold into far more than was written (aliases of aliases) or nest without end is refused before anything is built.

May touch: `errors`. Reads the file that it is given. `yaml` is imported when a text is YAML.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NoReturn, Self, cast

from .errors import DecodeError, DiscoveryError, MissingPackage

LARGEST_TEXT: Final = 256 * 1024 * 1024
"""The longest text that is read, in bytes: the slices of some 20,000 nodes."""

LONGEST_PATH: Final = 4096
"""The longest path that the kernel takes, in bytes."""

DEEPEST: Final = 100
"""How deep objects may nest; a ResourceSlice needs nine."""

MOST_VALUES: Final = 20_000_000
"""How many values a text may hold once its aliases are unfolded."""

_BYTE_ORDER_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


class Written(float):
    """
    A number with a fraction or an exponent that remembers its text, which quantities are read from.

    >>> Written("1e3").text
    '1e3'
    """

    text: str

    def __new__(cls, text: str) -> Self:
        """Read the number."""
        made = super().__new__(cls, text)
        made.text = text
        return made


class Repeating(dict[str, object]):
    """
    A JSON object in which a key stands several times. As a mapping it has the last value of each.

    Args:
        pairs: All keys with their values, in order.

    >>> made = Repeating([("a", 1), ("b", 2), ("a", 3)])
    >>> made, made.pairs
    ({'a': 3, 'b': 2}, (('a', 1), ('b', 2), ('a', 3)))
    """

    pairs: tuple[tuple[str, object], ...]

    def __init__(self, pairs: Iterable[tuple[str, object]]) -> None:
        """Take all pairs."""
        self.pairs = tuple(pairs)
        super().__init__(self.pairs)


def pairs(entries: Mapping[str, object]) -> Iterable[tuple[str, object]]:
    """Give all keys of an object with their values, those too that stand again later."""
    return entries.pairs if isinstance(entries, Repeating) else entries.items()


def _object(found: list[tuple[str, object]]) -> dict[str, object]:
    """Make an object of what a JSON parser found."""
    made = dict(found)
    return made if len(made) == len(found) else Repeating(found)


def read_file(path: str | os.PathLike[str]) -> str:
    """
    Read a text file, in UTF-8 or, with a byte order mark, UTF-16, as a redirection of PowerShell writes it.

    Raises:
        DiscoveryError: There is no such file, it cannot be read, is too long, or is no such text.
    """
    place = os.fspath(path)
    if len(place) > LONGEST_PATH:
        raise DiscoveryError(f"{place[:40]}…", f"is no path: {len(place)} characters", "a text has a line break, or begins with a brace or a bracket")
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (a text with a null byte is refused here too)
            data = file.read(LARGEST_TEXT + 1)
    except (OSError, ValueError) as error:
        raise DiscoveryError(place, f"cannot be read: {error.strerror if isinstance(error, OSError) else error}") from error
    try:
        return decoded(data)
    except DecodeError as error:
        raise DiscoveryError(place, str(error)) from error


def decoded(data: bytes) -> str:
    """
    Decode the bytes of a text.

    Raises:
        DecodeError: They are too many, or no UTF-8.
    """
    if len(data) > LARGEST_TEXT:
        raise DecodeError("", f"{data[:20]!r}…", f"at most {LARGEST_TEXT} bytes of text")
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DecodeError(f"byte {error.start}", data[error.start : error.start + 8], "UTF-8") from error


def documents(text: str) -> tuple[object, ...]:
    r"""
    Parse JSON, one value or several, or YAML, one document or several, into what `json.loads` gives; repeated keys of JSON make a `Repeating`.

    Raises:
        DecodeError: It is neither; `line` and `column` say where.
        MissingPackage: It is no JSON, and PyYAML is not installed.

    >>> documents("pciBusID: 0000:27:00.0\n---\nready: yes\n")
    ({'pciBusID': '0000:27:00.0'}, {'ready': True})
    """
    stripped = text.lstrip()
    if stripped.startswith(("{", "[")):
        try:
            parsed = _JSON.decode(text)
        except json.JSONDecodeError as error:
            if error.msg == _MORE and (values := _stream(text)) is not None:
                return values
            # Flow style is YAML and looks like JSON, but a long JSON text with a slip in it is not worth a second parser.
            if len(text) > 65536:
                raise _refused(error.lineno, error.colno, text, "JSON", error.msg) from error
            try:
                return _yaml(text)
            except DecodeError:
                raise _refused(error.lineno, error.colno, text, "JSON", error.msg) from error
        except (RecursionError, ValueError) as error:
            deep = isinstance(error, RecursionError)
            raise DecodeError("", f"{stripped[:20]}…", f"at most {DEEPEST} levels" if deep else "JSON", None if deep else str(error)) from error
        check_depth(parsed)
        return (parsed,)
    return _yaml(text)


#: What the JSON parser says where one value has ended and another begins.
_MORE: Final = "Extra data"
_BLANK: Final = re.compile(r"[ \t\n\r]*+")


def _stream(text: str) -> tuple[object, ...] | None:
    """Parse JSON values one after the other, as `jq` prints them and `kubectl apply` reads them; `None` when one is none."""
    found: list[object] = []
    place = 0
    try:
        while (start := _skipped(text, place)) < len(text):
            value, place = _JSON.raw_decode(text, start)
            check_depth(value)
            found.append(value)
    except (RecursionError, ValueError):
        return None
    return tuple(found)


def _skipped(text: str, place: int) -> int:
    """Give the place behind the blanks at a place."""
    blank = _BLANK.match(text, place)
    return place if blank is None else blank.end()


def _no_number(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which JSON does not have."""
    raise ValueError(f"{name} is no number there")


_JSON: Final = json.JSONDecoder(parse_constant=_no_number, parse_float=Written, object_pairs_hook=_object)


def check_depth(value: object) -> None:
    """
    Refuse what nests too deep for those who walk it, or contains itself.

    Raises:
        DecodeError: It does.
    """
    level: list[object] = [value]
    for _ in range(DEEPEST + 1):
        # By identity, so that what stands in many places is walked once on each level.
        level = list({id(inner): inner for outer in level for inner in _inside(outer)}.values())
        if not level:
            return
    raise DecodeError("", "…", f"at most {DEEPEST} levels")


def _inside(value: object) -> Iterator[object]:
    """Yield the containers directly in a container."""
    inner: Iterable[object] = ()
    if isinstance(value, Repeating):
        inner = (item for _, item in value.pairs)
    elif isinstance(value, Mapping):
        inner = cast("Mapping[object, object]", value).values()
    elif isinstance(value, list | tuple):
        inner = cast("list[object]", value)
    for each in inner:
        if isinstance(each, Mapping | list | tuple):
            yield cast("object", each)


def _refused(line: int, column: int, text: str, expected: str, reason: str | None) -> DecodeError:
    """Build the error for a place in a text, both counted from 1."""
    lines = text.split("\n", line)
    shown = lines[line - 1].strip() if line <= len(lines) else ""
    return DecodeError("", shown, expected, reason, line, column)


def _yaml(text: str) -> tuple[object, ...]:
    """Parse YAML."""
    return tuple(_plain(document) for document in _through(text, "load_all"))


def nodes(text: str) -> tuple[Any, ...]:
    """
    Parse JSON or YAML into the nodes of PyYAML, one a document, which know where they stand.

    Raises:
        DecodeError: It is no YAML. A JSON text may be none in rare cases: YAML has no escaped halves of a character.
        MissingPackage: PyYAML is not installed.
    """
    # JSON may be indented with tabs, YAML may not; inside its texts JSON has none.
    return _through(text.replace("\t", " ") if text.lstrip().startswith(("{", "[")) else text, "compose_all")


def _through(text: str, function: Literal["load_all", "compose_all"]) -> tuple[Any, ...]:
    """Let PyYAML parse a text, once it is known to be no bomb."""
    try:
        import yaml
    except ImportError as error:
        raise MissingPackage("PyYAML", "reading YAML") from error
    loader = _loader()
    try:
        parse: Callable[..., Iterator[Any]] = cast("Any", yaml).parse
        _check_events(parse(text, Loader=loader), text)
        return tuple(getattr(yaml, function)(text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        raise _at(mark, text, error.problem) from error
    except yaml.reader.ReaderError as error:
        position = int(error.position)
        raise DecodeError(f"character {position + 1}", text[position : position + 8], "YAML", str(error.reason)) from error
    except DecodeError:
        raise
    except (ValueError, OverflowError) as error:
        raise DecodeError("", f"{text[:20]}…", "YAML", str(error)) from error
    except AttributeError as error:  # PyYAML asks of what is tagged `!!timestamp` for its parts without looking whether it is one
        raise DecodeError("", f"{text[:20]}…", "YAML", "a value is not what its tag says") from error


def _at(mark: Any, text: str, reason: str | None) -> DecodeError:
    """Build the error for a mark of the YAML parser."""
    return _refused(int(mark.line) + 1, int(mark.column) + 1, text, "YAML", reason)


def _check_events(events: Iterator[Any], text: str) -> None:
    """
    Refuse what nests too deep, contains itself, or unfolds into too much, from the parser's events alone.

    Raises:
        DecodeError: It does.
    """
    import yaml

    sizes: dict[str, int] = {}
    open_: list[tuple[str | None, int]] = []
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            open_.append((event.anchor, 1))
            if len(open_) > DEEPEST:
                raise _at(event.start_mark, text, f"nested deeper than {DEEPEST}")
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = open_.pop()
        elif isinstance(event, yaml.AliasEvent):
            anchor, size = None, sizes.get(str(event.anchor), 1)
            if any(event.anchor == outer for outer, _ in open_):
                raise _at(event.start_mark, text, "an alias of what contains it")
        elif isinstance(event, yaml.ScalarEvent):
            anchor, size = event.anchor, 1
        else:
            continue
        if size > MOST_VALUES:
            raise _at(event.start_mark, text, f"unfolds into more than {MOST_VALUES} values")
        if anchor is not None:
            sizes[anchor] = size
        if open_:
            outer, counted = open_[-1]
            open_[-1] = (outer, counted + size)


def _plain(value: object) -> object:
    """Copy into what JSON can hold: keys become texts, aliases copies."""
    if isinstance(value, dict):
        return {_key(key): _plain(item) for key, item in cast("dict[object, object]", value).items()}
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[object]", value)]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise DecodeError("", value, "a value that JSON has")


def _key(key: object) -> str:
    """Write a key as JSON has it."""
    if isinstance(key, str):
        return key
    if isinstance(key, bool | int | float) or key is None:
        return json.dumps(key)
    raise DecodeError("", key, "a text as key")


_IMPLICIT: Final = (
    ("null", r"~|null|Null|NULL|", "~n\0"),
    ("bool", r"y|Y|yes|Yes|YES|on|On|ON|true|True|TRUE|n|N|no|No|NO|off|Off|OFF|false|False|FALSE", "ynotf"),
    ("int", r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o[0-7_]+|0[0-7_]*|[1-9][0-9_]*)", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "-+.0123456789"),
    ("merge", r"<<", "<"),
)
"""Which plain scalars are no texts, as the YAML decoder of Kubernetes has it: tag, pattern, first characters in one case (a null for none)."""


@functools.cache
def _loader() -> Any:
    """Build the loader, once: a safe one, with Kubernetes' idea of what is a number."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        """A safe loader that takes for numbers and truth values what Kubernetes takes for them."""

        yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (the form that PyYAML has)

    for tag, pattern, first in _IMPLICIT:
        Loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})\\Z"), ["" if letter == "\0" else letter for letter in {*first, *first.upper()}]
        )

    def truth(loader: Any, node: Any) -> bool:
        return loader.construct_scalar(node).lower() in {"y", "yes", "on", "true"}

    def real(loader: Any, node: Any) -> float:
        text = loader.construct_scalar(node).lower()
        return float(text.replace(".inf", "inf").replace(".nan", "nan"))

    def whole(loader: Any, node: Any) -> int | str:
        written: str = loader.construct_scalar(node)
        text = written.replace("_", "").lower()
        sign, digits = (-1 if text.startswith("-") else 1), text.lstrip("+-")
        try:
            return sign * (int(digits, 8) if digits[:1] == "0" and digits[1:].isdecimal() else int(digits, 0))
        except ValueError:  # a prefix without digits, or thousands of digits
            return written

    Loader.add_constructor("tag:yaml.org,2002:bool", truth)
    Loader.add_constructor("tag:yaml.org,2002:float", real)
    Loader.add_constructor("tag:yaml.org,2002:int", whole)
    return Loader
