"""The examples of docstrings and README give the printed results; all names are documented."""

from __future__ import annotations

import doctest
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from stub_docs import STUB, with_docs

import fourbook


def documented() -> dict[str, Any]:
    """All public objects, by name."""
    found: dict[str, Any] = {"fourbook": fourbook}
    for name in fourbook.__all__:
        each = getattr(fourbook, name)
        if not (inspect.isclass(each) or callable(each)):
            continue
        found[name] = each
        if inspect.isclass(each) and not issubclass(each, BaseException):
            owners = [owner for owner in each.__mro__ if "fourbook" in owner.__module__]
            members = [member for owner in owners for member in vars(owner).items()]
            found |= {f"{name}.{member}": it for member, it in members if member[0] != "_"}
    return found


@pytest.mark.parametrize("name", sorted(documented()))
def test_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(documented()[name])
    assert text, f"{name} has no documentation"
    known = {each: getattr(fourbook, each) for each in fourbook.__all__}
    example = doctest.DocTestParser().get_doctest(text, known, name, None, None)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_there_are_examples() -> None:
    texts = [inspect.getdoc(each) or "" for each in documented().values()]
    assert sum(">>>" in text for text in texts) > 20


def test_editors_see_the_documentation() -> None:
    stub = STUB.read_text()
    assert stub == with_docs(stub), "`python bindings/python/tests/stub_docs.py` writes it anew"
    assert stub.count('"""') > 150


@pytest.mark.parametrize(
    ("page", "examples"), [("bindings/python/README.md", 20), ("docs/src/label.md", 12)]
)
def test_the_pages(
    page: str, examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "books", "books")
    result = doctest.testfile(str(ROOT / page), module_relative=False)
    assert result.attempted >= examples and result.failed == 0


def test_exceptions_are_imported_when_they_are_wanted() -> None:
    program = '''
import sys, fourbook
assert "fourbook._errors" not in sys.modules
assert set(fourbook.__all__) <= set(dir(fourbook)) and not hasattr(fourbook, "Nothing")
try:
    fourbook.Position("4444444")
except fourbook.PositionError as error:
    assert type(error) is sys.modules["fourbook._errors"].PositionError
'''
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert fourbook.__version__ == version("fourbook")
