#!/bin/sh
# Kills (-9) and restarts a minority of three Raft servers under a fault proxy, ten minutes long or as long as is said, with everything that
# was not synced discarded at each kill. Exit code 0: nothing acknowledged was lost, and what clients saw is linearizable.
#   cargo build --release -p raft && examples/raft/kill-loop.sh target/release/raft 10m
set -eu
raft=${1:?the raft binary} duration=${2:-10m} seed=${3:-1}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/script" <<'SCRIPT'
delay 1ms..5ms
loss 0.5%
duplicate 0.5%
reorder 1%
every 4s crash one of server1 server2 server3 for 300ms..2s
SCRIPT
status=0
"$raft" cluster raft snapshot=500 --clients 8 --duration "$duration" --faults "$folder/script" \
    --folder "$folder/run" --discard-unsynced --seed "$seed" || status=$?
[ "$status" = 0 ] || tail -n 5 "$folder"/run/*.log
exit "$status"
