#!/bin/sh
# Builds the disk image for other people's Macs: signed with a Developer ID and the hardened
# runtime, notarised by Apple, with the ticket stapled to it. Needs in the environment:
#   CUTAWAY_IDENTITY   the name of the Developer ID Application certificate in the keychain
#   NOTARY_KEY, NOTARY_KEY_ID, NOTARY_ISSUER   path, id and issuer of an App Store Connect API key
set -eu
cd "$(dirname "$0")/../.."
if [ "$(uname -s)" != Darwin ]; then
    echo "A release is made on a Mac; here 'make app' gives a folder that runs, dist/cutaway." >&2
    exit 1
fi
for name in CUTAWAY_IDENTITY NOTARY_KEY NOTARY_KEY_ID NOTARY_ISSUER; do
    eval "value=\${$name:-}"
    if [ -z "$value" ]; then
        echo "A release is signed and notarised, for which $name must be set; 'make dmg' makes a disk image without." >&2
        exit 1
    fi
done
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' app/__init__.py)
image="dist/Cutaway-$version.dmg"

make dmg
dist/Cutaway.app/Contents/MacOS/cutaway --self-test
codesign --sign "$CUTAWAY_IDENTITY" --timestamp "$image"
xcrun notarytool submit "$image" --wait \
    --key "$NOTARY_KEY" --key-id "$NOTARY_KEY_ID" --issuer "$NOTARY_ISSUER"
xcrun stapler staple "$image"
spctl --assess --type open --context context:primary-signature --verbose "$image"
echo "Released as $image."
