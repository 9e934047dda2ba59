#!/bin/sh
# scripts/run as a new user starts it: it serves, answers /healthz, and ends cleanly on SIGTERM.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
mkfifo "$folder/ready"
WHATTODO_LISTEN=127.0.0.1:0 WHATTODO_DATA="$folder/data" scripts/run >"$folder/ready" 2>"$folder/log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
read -r word url <"$folder/ready"
[ "$word" = ready ] || { cat "$folder/log"; exit 1; }
address=${url#ws://}
python3 - "http://${address%/ws}/healthz" <<'END'
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=10) as answer:
    sys.exit(answer.status != 200)
END
grep -q "Join from a second terminal" "$folder/log"
kill -TERM "$server"
wait "$server"
echo "scripts/run served at $url and ended with 0"
