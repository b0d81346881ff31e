#!/bin/sh
# ssh.sh JOIN HOST...: starts a worker on each host, which has pinpoint on its PATH, and ends
# them all when it is interrupted. The secret travels by standard input.
set -eu
if [ $# -lt 2 ]; then
	echo 'usage: ssh.sh JOIN HOST...' >&2
	exit 2
fi
join=$1
shift
trap 'kill 0' INT TERM
for host in "$@"; do
	# -tt would end the worker with us; it would also print the secret.
	ssh -o BatchMode=yes "$host" '
		umask 077
		file=$(mktemp)
		trap "rm -f \"$file\"" EXIT
		cat >"$file"
		pinpoint worker --join "$file" --idle 10m
	' <"$join" &
done
wait
