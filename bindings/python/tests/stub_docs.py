"""Puts the documentation of the package into its types, where editors look for it.

The doc comments in Rust are written by hand. `python stub_docs.py` writes the stub from the
installed package; test_docs.py fails when that is due.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from textwrap import indent

from fourbook import _fourbook

STUB = Path(__file__).parents[1] / "python" / "fourbook" / "_fourbook.pyi"


NAMES = [name for name in dir(_fourbook) if not name.startswith("_")]


def with_docs(stub: str) -> str:
    """The stub, with the documentation that the package has now and no other."""
    lines = stub.splitlines()
    # From the end, so that earlier line numbers stay right.
    for node, name in reversed(list(documented(ast.parse(stub)))):
        doc = indent(docstring(name), " " * (node.col_offset + 4)).splitlines()
        first = node.body[0]
        if is_docstring(first):
            lines[first.lineno - 1 : first.end_lineno] = doc
        elif isinstance(node, ast.ClassDef):
            decorated = [line.lineno for line in getattr(first, "decorator_list", [])]
            at = min([first.lineno, *decorated]) - 1
            lines[at:at] = doc
        else:
            # A function without a body ends with `: ...`.
            lines[first.lineno - 1] = lines[first.lineno - 1].removesuffix(" ...")
            lines[first.lineno : first.lineno] = doc
    return "\n".join(lines) + "\n"


def documented(module: ast.Module) -> list[tuple[ast.ClassDef | ast.FunctionDef, str]]:
    """All public names, in order."""
    found: list[tuple[ast.ClassDef | ast.FunctionDef, str]] = []
    for node in module.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in NAMES:
            found.append((node, node.name))
            for member in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    found.append((member, f"{node.name}.{member.name}"))
    return found


def docstring(name: str) -> str:
    """The documentation of an object, as written in source code."""
    it: object = _fourbook
    for part in name.split("."):
        it = getattr(it, part)
    text = inspect.getdoc(it)
    assert text, f"{name} has no documentation"
    assert '"""' not in text, f"{name} has three quotes in its documentation"
    quotes = 'r"""' if "\\" in text else '"""'
    end = '\n"""' if "\n" in text else '"""'
    return f"{quotes}{text}{end}"


def is_docstring(node: ast.stmt) -> bool:
    if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return False
    return isinstance(node.value.value, str)


if __name__ == "__main__":
    STUB.write_text(with_docs(STUB.read_text()))
