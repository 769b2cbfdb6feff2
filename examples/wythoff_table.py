"""Who wins Wythoff's game with heaps of 0 to 5, as a table: a script on top of `zermelo.solve`.

python examples/wythoff_table.py
"""

import zermelo


def table(largest=5):
    """The table as text: rows and columns are heap sizes; 1 where the first player wins, 2 where the second does."""
    sizes = range(largest + 1)
    lines = ["   " + " ".join(str(size) for size in sizes)]
    for left in sizes:
        winners = (zermelo.solve(f"wythoff:{left},{right}").winner for right in sizes)
        lines.append(f"{left}  " + " ".join("1" if winner == "first" else "2" for winner in winners))
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
