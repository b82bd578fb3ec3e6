"""Tables of texts for terminals and notebooks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Row = dict[str, str]
"""A row of a table: a text for each column."""


def _columns(rows: Sequence[Row]) -> list[str]:
    """Returns the columns in which a row has a text."""
    columns = list(rows[0]) if rows else []
    return [column for column in columns if any(row.get(column) for row in rows)]


def text_table(rows: Sequence[Row]) -> str:
    """Returns a table with aligned columns; columns without text are left out."""
    columns = _columns(rows)
    widths = [max(len(c), *(len(row.get(c, "")) for row in rows)) for c in columns]
    lines = [columns] + [[row.get(column, "") for column in columns] for row in rows]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths)] for line in lines]
    return "\n".join("  ".join(line).rstrip() for line in padded)


def html_table(rows: Sequence[Row], bold: Collection[int] = ()) -> str:
    """Returns a table as HTML; the rows with the numbers in ``bold`` are emphasised."""
    from html import escape

    columns = _columns(rows)
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = ""
    for number, row in enumerate(rows):
        style = ' style="font-weight: bold"' if number in bold else ""
        cells = "".join(f"<td>{escape(row.get(column, ''))}</td>" for column in columns)
        body += f"<tr{style}>{cells}</tr>"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
