#!/usr/bin/env python3
"""Measures the solver of hexagonal Tetris on the contest's problems and writes the tables of
docs/hextris.md, all from one build.

    cargo build --release -p ludion-cli
    python3 bench/hextris.py --problems icfp2015                          on an idle machine
    python3 bench/hextris.py --problems icfp2015 --processor-time         on a shared one
    python3 bench/hextris.py --problems icfp2015 -t 0.5 --finals-time 0.3 --docs copy.md    a trial

The problems take 25 × 2 × 20 seconds, the finals 11 × 4 × 10 seconds. Tables are replaced row by row: rows
of problems that the folder does not have stay as they are. The sentences about the tables are
written anew.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from pathlib import Path
from typing import Any, Callable

HELD_OUT = {16, 17, 19, 20, 21, 22, 23}
LISTS = ["none", "the 18", "custom", "across locks"]


def bench(args: argparse.Namespace, *more: str) -> dict[str, Any]:
    """Runs `ludion hextris bench` and returns its report."""
    command = [args.program, "hextris", "bench", "--problems", args.problems, "--json", *more]
    command += ["--processor-time"] if args.processor_time else []
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def replace_rows(text: str, head: str, row: Callable[[int, list[str]], list[str] | None]) -> str:
    """Replaces the rows of the table whose first line begins with `head`. `row` gets the number of
    the problem and the old cells."""
    lines = text.split("\n")
    begin = next(i for i, line in enumerate(lines) if line.startswith(head)) + 2
    for i in range(begin, len(lines)):
        if not lines[i].startswith("|"):
            break
        cells = [cell.strip() for cell in lines[i].strip("|").split("|")]
        new = row(int(cells[0].split()[0]), cells)
        if new is not None:
            lines[i] = f"| {' | '.join(new)} |"
    return "\n".join(lines)


def column(text: str, head: str, index: int) -> dict[int, float]:
    """Returns a column of numbers of a table by problem."""
    values: dict[int, float] = {}

    def keep(problem: int, cells: list[str]) -> None:
        values[problem] = float(cells[index].strip("*"))

    replace_rows(text, head, keep)
    return values


def replace_sentence(text: str, pattern: str, sentence: str) -> str:
    """Replaces the only passage that matches a pattern."""
    new, count = re.subn(pattern, lambda _: sentence, text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{count} passages of the document match {pattern!r}")
    return new


def contest_tables(text: str, report: dict[str, Any]) -> str:
    """Writes the scores of the contest's problems into their tables."""
    scores = {row["problem"]: row for row in report["problems"]}

    def main(problem: int, _: list[str]) -> list[str] | None:
        if (new := scores.get(problem)) is None:
            return None
        beam = f"**{new['beam']}**" if new["beam"] > new["best"] else str(new["beam"])
        mark = " ‡" if problem in HELD_OUT else ""
        figures = [new["best"], f"{new['ratio']:.3f}", new["open"], new["course"], new["baseline"]]
        return [f"{problem}{mark}", beam, *map(str, figures)]

    def spelling(problem: int, cells: list[str]) -> list[str] | None:
        if (new := scores.get(problem)) is None:
            return None
        others, ours = int(cells[1].strip("*")), new["beam"]
        return [cells[0], f"**{others}**" if others > ours else str(others), f"**{ours}**" if ours >= others else str(ours)]

    def baseline(problem: int, cells: list[str]) -> list[str] | None:
        if (new := scores.get(problem)) is None:
            return None
        return [cells[0], cells[1], str(new["baseline"]), f"{new['baseline'] / int(cells[1]):.2f}"]

    head = "| problem | Ludion | best team"
    text = replace_rows(text, head, main)
    text = replace_rows(text, "| problem | other teams' locks", spelling)
    text = replace_rows(text, "| problem | TaupeGoons | `baseline` | ratio", baseline)
    ratios = column(text, head, 3)
    mean = sum(ratios.values()) / len(ratios)
    above = sum(ratio > 1 for ratio in ratios.values())
    held_out = [ratios[problem] for problem in sorted(HELD_OUT)]
    text = replace_sentence(
        text,
        r"Over the problems, score / best score is .*?best team\.",
        f"Over the problems, score / best score is **{mean:.3f}** in the mean ({min(ratios.values()):.3f} to "
        f"{max(ratios.values()):.3f}); {above} of {len(ratios)} problems are above the\nbest team.",
    )
    # A remark that the table is older than the solver.
    text = re.sub(r" It was made before the change.*?second command\.", "", text, flags=re.DOTALL)
    return replace_sentence(
        text,
        r"on the held-out ones the mean is\s+[\d.]+\d",
        f"on the held-out ones the mean is\n{sum(held_out) / len(held_out):.3f}",
    )


def finals_table(text: str, report: dict[str, Any], seconds: float) -> str:
    """Writes the scores of the finals into their table."""
    scores = {(row["problem"], row["phrases"]): row for row in report["finals"]}

    def row(problem: int, cells: list[str]) -> list[str]:
        new = [scores.get((problem, name)) for name in LISTS]
        texts = [one and f"{one['score']} ({one['ratio']:.2f})" for one in new]
        return [cells[0], *(text or old for text, old in zip(texts, cells[1:]))]

    head = "| problem | none | the 18"
    text = replace_rows(text, head, row)
    ratios: dict[str, list[float]] = {name: [] for name in LISTS}

    def keep(_: int, cells: list[str]) -> None:
        for name, cell in zip(LISTS, cells[1:]):
            ratios[name].append(float(cell.split("(")[1].rstrip(")")))

    replace_rows(text, head, keep)
    means = ", ".join(
        f"{sum(of) / len(of):.2f} ({name}, at least {min(of):.2f})" for name, of in ratios.items()
    )
    every = [ratio for of in ratios.values() for ratio in of]
    above = sum(ratio >= 1 for ratio in every)
    text = replace_sentence(
        text,
        r"In the mean it is .*?best of the finals\.",
        f"In the mean it is {means}. {above} of {len(every)} cells are at or above the best of the finals.",
    )
    text = replace_sentence(text, r"\*\*\d+ seconds\*\* a problem", f"**{seconds:g} seconds** a problem")
    return replace_sentence(text, r"--finals -t [\d.]+", f"--finals -t {seconds:g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--problems", required=True, help="folder with the problems of the contest")
    parser.add_argument("-t", "--time", type=float, default=20, help="seconds for each problem")
    parser.add_argument("--finals-time", type=float, default=10, help="seconds for each of the finals")
    parser.add_argument("--processor-time", action="store_true", help="count CPU time")
    parser.add_argument("--docs", default="docs/hextris.md", help="the document to write")
    parser.add_argument("--program", default="target/release/ludion", help="the program to measure")
    args = parser.parse_args()
    path = Path(args.docs)
    contest = bench(args, "-t", f"{args.time:g}")
    # What was measured is kept if the finals are stopped.
    path.write_text(contest_tables(path.read_text(encoding="utf-8"), contest), encoding="utf-8")
    finals = bench(args, "--finals", "-t", f"{args.finals_time:g}")
    path.write_text(finals_table(path.read_text(encoding="utf-8"), finals, args.finals_time), encoding="utf-8")


if __name__ == "__main__":
    main()
