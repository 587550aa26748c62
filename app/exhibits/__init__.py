"""The exhibits as visitors meet them: their words, their controls, and how results are drawn."""
