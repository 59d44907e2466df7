"""The notebook shows its outputs."""

from __future__ import annotations

import ast
import asyncio
import io
import json
from contextlib import redirect_stdout
from types import CodeType
from typing import Any

from conftest import ROOT

NOTEBOOK = ROOT / "bindings" / "python" / "examples" / "tour.ipynb"


def outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Runs a cell and returns its outputs, as Jupyter writes them."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with redirect_stdout(printed):
        run(compile(tree, "cell", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            value = run(compile(ast.Expression(last.value), "cell", "eval", flags), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        found.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": [repr(value)]}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = [value._repr_svg_()]
        result = {"data": data, "execution_count": None, "metadata": {}}
        found.append({**result, "output_type": "execute_result"})
    return found


def run(code: CodeType, names: dict[str, Any]) -> Any:
    value = eval(code, names)
    return asyncio.run(value) if asyncio.iscoroutine(value) else value


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = outputs("".join(cell["source"]), names)
    return notebook


def test_the_notebook_shows_what_it_gives() -> None:
    text = NOTEBOOK.read_text()
    again = json.dumps(executed(json.loads(text)), indent=1) + "\n"
    assert again == text, "`python bindings/python/tests/test_examples.py` writes it anew"
    assert text.count('"execute_result"') >= 6


if __name__ == "__main__":
    NOTEBOOK.write_text(json.dumps(executed(json.loads(NOTEBOOK.read_text())), indent=1) + "\n")
