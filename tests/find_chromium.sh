#!/bin/sh
# Finds the system's Chromium for the browser tests, or installs it from Debian's packages where that is allowed.
# Without one: says so and goes on, except with CI=true, where it fails.
set -u
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        echo "browser tests use $(command -v "$name")"
        exit 0
    fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing chromium from Debian's packages for the browser tests"
    if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-dejavu-core >/dev/null; then
        echo "browser tests use $(command -v chromium)"
        exit 0
    fi
fi
echo "BROWSER TESTS WILL NOT RUN: no Chromium found. Install the package 'chromium' and run make test again." >&2
[ "${CI:-}" = true ] && exit 1
exit 0
