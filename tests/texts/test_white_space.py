"""Templates are written to be read; their indentation does not come to pages."""

from __future__ import annotations

import re
import traceback
import unicodedata
from collections.abc import Iterator

import pytest
from jinja2 import Environment, TemplateSyntaxError, UndefinedError

from referee import paths
from referee.http.white_space import WhiteSpace

TEMPLATES = paths.shipped("templates")
LONGEST = 120
"""Columns of a line, unless all of it is one text, one attribute or a comment."""
ALONE = re.compile(
    r"""(?:\w+=)?"[^"]*"(?:,| if.*)?|\{#.*|.*#\}|\{\{ _\("[^"]*"\) \}\}"""
    r"""|(?!.*["'] [\w-]+=)[\w:-]+=["'].*["']"""
)


@pytest.fixture
def templates() -> Environment:
    return Environment(autoescape=True, extensions=[WhiteSpace])


@pytest.mark.parametrize(
    ("written", "page"),
    [
        ("<b>\n  {{ a }}\n  {{ b }}\n</b>", "<b>12</b>"),
        ("<i>{{ a }}</i>\n<i>{{ b }}</i>", "<i>1</i><i>2</i>"),
        ('<i>{{ a }}</i>{{ " " }}\n<i>{{ b }}</i>', "<i>1</i> <i>2</i>"),
        ("<i>{{ a }}</i> <i>{{ b }}</i>", "<i>1</i> <i>2</i>"),
        ("{% if a %}\n  <b>\n    x\n  </b>\n{% endif %}\n", "<b>x</b>"),
        ("<b>two\n  words</b>", "<b>two words</b>"),
        ("<ul>\n  <li>\n    {{ a }}\n  </li>\n</ul>", "<ul>\n<li>1</li></ul>"),
    ],
)
def test_a_line_break_is_nothing_beside_a_tag_or_an_expression(
    templates: Environment, written: str, page: str
) -> None:
    assert templates.from_string(written).render(a=1, b=2) == page


@pytest.mark.parametrize(
    ("written", "page"),
    [
        (
            '<i\n  id="x"\n  {% if a %} hidden{% endif %}\n  lang="ja"\n>',
            '<i id="x" hidden lang="ja">',
        ),
        (
            "<i\n  {% if a %}\n    hidden\n  {% else %}\n    dir\n  {% endif %}\n></i>",
            "<i hidden></i>",
        ),
        ('<i\n  class="a\n    {% if a %} b{% endif %}\n    c\n  "\n>', '<i class="a b c">'),
        ('<i\n  class="a\n    {{ a }}"\n/>', '<i class="a 1"/>'),
        ("<i title='<\n  \"b\"'>\n  x</i>", "<i title='< \"b\"'>x</i>"),
    ],
)
def test_in_a_tag_it_is_a_space_before_an_attribute(
    templates: Environment, written: str, page: str
) -> None:
    assert templates.from_string(written).render(a=1) == page


def test_errors_name_the_line_of_the_file(templates: Environment) -> None:
    with pytest.raises(TemplateSyntaxError) as fault:
        templates.from_string("<p>\n\n  {{ a }}\n  <b\n    id='x'>\n{% if %}</b></p>")
    assert fault.value.lineno == 6
    with pytest.raises(UndefinedError) as missing:
        templates.from_string("<p>\n\n  {{ a }}\n\n  {{ b.c }}\n</p>").render(a=1)
    frames = traceback.extract_tb(missing.tb)
    assert [frame.lineno for frame in frames if frame.filename == "<template>"] == [5]


def long_lines() -> Iterator[str]:
    for file in sorted(TEMPLATES.rglob("*.*")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if columns(line) > LONGEST and not ALONE.fullmatch(line.strip()):
                yield f"{file.relative_to(TEMPLATES)}:{number}"


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in line)


def test_lines_of_templates_are_short() -> None:
    """One element a line, indented: no page gets what that costs."""
    assert not list(long_lines())
