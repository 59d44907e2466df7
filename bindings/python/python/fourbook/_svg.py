"""The board as a picture."""

from __future__ import annotations

from fourbook._fourbook import Analysis, Position

CELL, LINE = 40, 24
COLOURS = {"X": "#f2c230", "O": "#d8372f", ".": "#dce5f2"}


def svg(shown: Position | Analysis, *, mark_best: bool = True) -> str:
    """Draws a position, or an analysis with the score of each column below it, as SVG.

    It shows whose turn it is. Stones of a winning line have a white ring; with `mark_best`, the
    cells of an analysis where best moves land have a dashed one.

    >>> from fourbook import Oracle, svg
    >>> svg(Oracle().analyse("4453")).count("stroke-dasharray")
    3
    """
    if isinstance(shown, Position):
        position, scores, best = shown, None, []
    elif isinstance(shown, Analysis):
        position, scores = shown.position, shown.move_scores
        best = shown.best_moves if mark_best else []
    else:
        raise TypeError(f"expected a Position or an Analysis, found {type(shown).__name__}")
    width, board = CELL * position.width, CELL * position.height
    rows = position.diagram.split("/")[::-1]
    won = set(position.winning_line or [])
    title = "a draw" if position.over else f"{position.to_move} to move"
    if position.winner:
        title = f"{position.winner} has won"
    parts = [f'<title>{title}</title><rect width="{width}" height="{board}" rx="6" fill="#2457a5"/>']
    texts = []
    for column in range(position.width):
        x = CELL * column + CELL // 2
        landing = sum(row[column] != "." for row in rows)
        for row in range(position.height):
            y = board - CELL * row - CELL // 2
            ring = ' stroke="#fff" stroke-width="4"' if (column, row) in won else ""
            if column in best and row == landing:
                ring = ' stroke="#fff" stroke-width="3" stroke-dasharray="6 4"'
            colour = COLOURS[rows[row][column]]
            parts.append(f'<circle cx="{x}" cy="{y}" r="15" fill="{colour}"{ring}/>')
        texts.append((x, 1, "normal", "123456789abcdefg"[column]))
        if scores and scores[column] is not None:
            texts.append((x, 2, "bold", str(scores[column])))
    lines = 3 if scores else 2
    texts.append((width // 2, lines, "normal", title))
    for x, line, weight, text in texts:
        y = board + LINE * line - 6
        parts.append(f'<text x="{x}" y="{y}" fill="#888" font-weight="{weight}">{text}</text>')
    height = board + LINE * lines
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="sans-serif" font-size="14" '
        f'text-anchor="middle">{"".join(parts)}</svg>'
    )
