"""The application's icon: drawn by `draw`, written as .icns by `icns`, shown by `window`."""
