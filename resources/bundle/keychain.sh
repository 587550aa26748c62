#!/bin/sh
# On a hosted runner: puts the signing certificate into a keychain of its own and the notary key
# into a file, from CERTIFICATE (a .p12 in base64), CERTIFICATE_PASSWORD and NOTARY_KEY_TEXT.
set -eu
keychain="$RUNNER_TEMP/signing.keychain-db"
password=$(openssl rand -hex 24)
umask 077
printf '%s' "$CERTIFICATE" | base64 --decode >"$RUNNER_TEMP/certificate.p12"
printf '%s\n' "$NOTARY_KEY_TEXT" >"$RUNNER_TEMP/notary.p8"
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 7200 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$RUNNER_TEMP/certificate.p12" -k "$keychain" -P "$CERTIFICATE_PASSWORD" \
    -T /usr/bin/codesign
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" >/dev/null
security list-keychains -d user -s "$keychain" login.keychain-db
rm "$RUNNER_TEMP/certificate.p12"
