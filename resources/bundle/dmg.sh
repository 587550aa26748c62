#!/bin/sh
# Puts dist/Cutaway.app into a disk image, beside a link to Applications.
set -eu
cd "$(dirname "$0")/../.."
if [ "$(uname -s)" != Darwin ]; then
    echo "A disk image is made on a Mac; here 'make app' gives a folder that runs, dist/cutaway." >&2
    exit 1
fi
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' app/__init__.py)
image="dist/Cutaway-$version.dmg"
stage=build/dmg
rm -rf "$stage" "$image"
mkdir -p "$stage"
# ditto keeps the links, on which the signature depends.
ditto dist/Cutaway.app "$stage/Cutaway.app"
ln -s /Applications "$stage/Applications"
hdiutil create -quiet -volname Cutaway -srcfolder "$stage" -fs HFS+ -format ULFO "$image"
rm -rf "$stage"
codesign --verify --deep --strict dist/Cutaway.app
echo "Built $image."
