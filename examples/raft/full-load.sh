#!/bin/sh
# Three Raft servers and their clients as processes at full load, one server stopped (-STOP) all the while, ten minutes long or as long as is said.
# Exit code 0: what clients saw is linearizable, and no process ever held more than 300 MB.
#   cargo build --release -p raft && examples/raft/full-load.sh target/release/raft 10m
set -eu
raft=${1:?the raft binary} duration=${2:-10m} clients=${3:-20} most_kb=307200
folder=$(mktemp -d)
pids=""
finish() {
    for pid in $pids; do kill -CONT "$pid" 2> /dev/null || true; kill "$pid" 2> /dev/null || true; done
    wait
    rm -rf "$folder"
}
trap finish EXIT
port=$((20000 + $$ % 10000))
for i in 1 2 3; do echo "server$i 127.0.0.1:$((port + i))"; done > "$folder/peers"
i=0
while [ "$i" -lt "$clients" ]; do i=$((i + 1)); echo "client$i 127.0.0.1:$port"; done >> "$folder/peers"
line="run raft --clients $clients --peers $folder/peers --node"
for i in 1 2 3; do
    "$raft" $line "server$i" > "$folder/server$i.log" 2>&1 &
    pids="$pids $!"
done
stopped=$!
"$raft" $line client1 --duration "$duration" > "$folder/clients.log" 2>&1 &
client=$!
pids="$pids $client"
sleep 3
kill -STOP "$stopped"
highest=""
while kill -0 "$client" 2> /dev/null; do
    # The kernel keeps the most that each has held; a process that has ended has no such line any more.
    now=""
    for pid in $pids; do now="$now $(awk '/VmHWM/ { print $2 }' "/proc/$pid/status" 2> /dev/null || true)"; done
    [ "$(echo "$now" | wc -w)" = 4 ] && highest=$now
    sleep 1
done
status=0
wait "$client" || status=$?
cat "$folder/clients.log"
echo "most memory of server1, server2, server3 (stopped) and the clients, in kB:$highest"
for kb in $highest; do [ "$kb" -le "$most_kb" ] || status=1; done
exit "$status"
