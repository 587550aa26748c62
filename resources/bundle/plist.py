"""What Info.plist says: names, versions, the lowest macOS, the kinds of files that are opened."""

from __future__ import annotations

from resources.bundle.mach import Version

IDENTIFIER = "app.cutaway.Cutaway"

LOWEST_SYSTEM: Version = (15, 0)
"""The highest of the lowest systems that the code inside declares; Qt's bindings set it."""


def info(version: str, build: str) -> dict[str, object]:
    """The entries of Info.plist besides those that PyInstaller writes.

    Args:
        version: To show, such as `0.1.0`.
        build: What tells two builds of a version apart: up to three numbers with dots.
    """
    return {
        "CFBundleDevelopmentRegion": "en",
        "CFBundleDisplayName": "Cutaway",
        "CFBundleName": "Cutaway",
        "CFBundleShortVersionString": version,
        "CFBundleVersion": build,
        "CFBundleDocumentTypes": _DOCUMENT_TYPES,
        "UTImportedTypeDeclarations": _IMPORTED_TYPES,
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        # A reply goes on at full speed while its window is hidden.
        "LSAppNapIsDisabled": True,
        "LSArchitecturePriority": ["arm64"],
        "LSMinimumSystemVersion": ".".join(map(str, LOWEST_SYSTEM)),
        "LSRequiresNativeExecution": True,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "MIT licence",
        "NSRequiresAquaSystemAppearance": False,
        # A reply may still be being saved when the last window is gone.
        "NSSupportsAutomaticTermination": False,
        "NSSupportsSuddenTermination": False,
    }


_GGUF = "org.ggml.gguf"
_DOCUMENT_TYPES = [
    {
        "CFBundleTypeName": "GGUF model",
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": "Default",
        "LSItemContentTypes": [_GGUF],
    },
    {
        # A model as a folder; Finder keeps folders to itself unless one is dropped on the icon.
        "CFBundleTypeName": "Model folder",
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": "Alternate",
        "LSItemContentTypes": ["public.folder"],
    },
]
_IMPORTED_TYPES = [
    {
        "UTTypeIdentifier": _GGUF,
        "UTTypeDescription": "GGUF model",
        "UTTypeConformsTo": ["public.data"],
        "UTTypeReferenceURL": "https://github.com/ggml-org/ggml/blob/master/docs/gguf.md",
        "UTTypeTagSpecification": {"public.filename-extension": ["gguf"]},
    },
]
