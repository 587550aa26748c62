"""Texts that were made to stop a window: bombs of Markdown, endless lines, floods of marks."""

TEXTS = {
    "line": "x" * 1_000_000,
    "words": "word " * 200_000,
    "quotes": ">" * 100_000,
    "nested": "> " * 3000 + "deep",
    "brackets": "[" * 20_000,
    "links": "[a](" * 10_000,
    "stars": "*a " * 7000,
    "code": "```\n" + "y" * 1_000_000,
    "lists": "\n".join(" " * (number % 60) + "- a" for number in range(3000)),
    "fences": "```\nx\n```\n" * 10_000,
    "table": "| a | b |\n|--|--|\n" + "| cell | *other* |\n" * 20_000,
    "bars": "|" * 100_000 + "\n" + "|-" * 50_000 + "\n" + "|x" * 100_000,
    "dollars": "$" * 50_000 + "\n\n" + "\\(" * 20_000 + "\n\n" + "\\[\n" * 3000,
    "unseen": "a\u200b" + "\u200b" * 200_000 + "\u202e" * 50_000 + "e" + "\u0301" * 50_000,
    "controls": "\x00\x1b[31m\x07\x08" * 20_000,
    "thoughts": "<think>" * 20_000,
    "marks": "`" * 50_000 + "_" * 50_000 + "!" * 20_000,
    "headings": "# a\n" * 20_000,
    "entities": "&amp;" * 50_000,
}
