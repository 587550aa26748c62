"""Builds Cutaway.app (on Linux: a folder) with PyInstaller: `make app`, `make dmg`, `make release`.

`cutaway.spec` is what PyInstaller reads; what it decides stands here as plain functions.
"""
