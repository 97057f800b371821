"""
Room: the text form of a tree.

May touch: `treefile`.
"""

from __future__ import annotations

import pytest

from rbln_dra.discovery import treefile
from rbln_dra.discovery.access import Entry, Fault, Link
from rbln_dra.errors import DiscoveryError


@pytest.mark.parametrize(
    ("text", "node", "entries"),
    [
        pytest.param("", None, {}, id="nothing"),
        pytest.param("# a comment\n\n  # another\n", None, {}, id="comments"),
        pytest.param("node node-atom\n", "node-atom", {}, id="a node"),
        pytest.param('node "two words"', "two words", {}, id="a quoted node"),
        pytest.param("a/b/\n", None, {"a/b/": ""}, id="a folder"),
        pytest.param("/a/b/\n x = 1", None, {"a/b/": "", "a/b/x": "1\n"}, id="a folder with a slash before it"),
        pytest.param("a/\nb = 1\n/\nc = 2\n", None, {"a/": "", "a/b": "1\n", "c": "2\n"}, id="the root"),
        pytest.param("x = two words ", None, {"x": "two words\n"}, id="a file"),
        pytest.param("x =", None, {"x": "\n"}, id="a file with an empty line"),
        pytest.param('x = ""', None, {"x": ""}, id="an empty file"),
        pytest.param('x = "a\\nb\\u0000"', None, {"x": "a\nb\x00"}, id="a file with exactly this text"),
        pytest.param("x = a # b", None, {"x": "a # b\n"}, id="no comment after a value"),
        pytest.param("x -> ../y\r\n", None, {"x": Link("../y")}, id="a link, and a line of Windows"),
        pytest.param('x -> "a b"', None, {"x": Link("a b")}, id="a quoted link"),
        pytest.param("x ! EACCES", None, {"x": Fault.parse("EACCES")}, id="a fault"),
        pytest.param('"a b" = c', None, {"a b": "c\n"}, id="a quoted name"),
        pytest.param("node = 1", None, {"node": "1\n"}, id="a file called node"),
        pytest.param("0000:27:00.0 -> x", None, {"0000:27:00.0": Link("x")}, id="an address as a name"),
    ],
)
def test_a_text_is_parsed(text: str, node: str | None, entries: dict[str, Entry]) -> None:
    """Each kind of line says what it says."""
    assert treefile.parse(text, source="x") == (node, entries)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("x", "x.tree:1: expected `node NAME`", id="a word"),
        pytest.param("a/b", "a folder ends in a slash", id="a folder without its slash"),
        pytest.param("# c\n\nx y", "x.tree:3: expected `node NAME`", id="two words, with the number of the line"),
        pytest.param("x = 1\nx = 2", "x.tree:2: x stands there already", id="the same twice"),
        pytest.param("node a\nnode b", "x.tree:2: the node has a name already; it is a", id="two nodes"),
        pytest.param("x ! EPERMX", "x.tree:1: expected an error's symbol such as EACCES, got 'EPERMX'", id="no errno"),
        pytest.param("x !", "x.tree:1: expected an error's symbol", id="a fault without one"),
        pytest.param('x = "a', "x.tree:1: expected a JSON string, got '\"a'", id="an open quote"),
        pytest.param('"a = b', "x.tree:1: expected", id="an open quote in a name"),
        pytest.param('"\\q" = b', "x.tree:1: expected a JSON string", id="an escape that JSON lacks"),
        pytest.param("x" * 1_000_000, "(1000000 characters)", id="a megabyte on one line"),
    ],
)
def test_a_bad_line_is_an_error_with_its_number(text: str, message: str) -> None:
    """What is no line of a tree is one error that names file and line."""
    with pytest.raises(DiscoveryError) as caught:
        treefile.parse(text, source="x.tree")
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "\n",
        "x",
        "x\n",
        " x\n",
        '"x"\n',
        "a\nb\n",
        "\x00\n",
        "\ufffd\n",
        "é\n",
        "# x\n",
        Link(""),
        Link("a b"),
        Link(" "),
        Link("../x"),
        Fault.parse("EIO"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["x", "a b", '"', "#", "node", "é", "a=b", "->", "\x01", "0000:27:00.0"])
def test_what_is_written_is_read_back(name: str, entry: Entry) -> None:
    """Names and values survive the text, whatever they are."""
    entries = {name: entry, f"below/{name}": entry}
    node, read = treefile.parse(treefile.dump("n", entries), source="x")
    assert (node, {path: value for path, value in read.items() if not path.endswith("/")}) == ("n", entries)


def test_an_empty_directory_is_written() -> None:
    """A directory with nothing in it is a line of its own."""
    assert treefile.dump(None, {"a/b/": ""}) == "a/b/\n"
