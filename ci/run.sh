#!/usr/bin/env bash
# Runs pinpoint ci for a GitHub job, and puts its summary on the job's page. The
# inputs of action.yml come in as variables; what it writes lies in $PINPOINT_OUT.
set -uo pipefail

mkdir -p "$PINPOINT_OUT" "$PINPOINT_CACHE"
# The private trees have a place of their own. What earlier steps built is used.
GOCACHE=$(go env GOCACHE)
export GOCACHE XDG_CACHE_HOME=$PINPOINT_CACHE

args=(ci -C "${PINPOINT_DIR:-.}" --base refs/pinpoint/base
  --fail-above "$PINPOINT_FAIL_ABOVE" --budget "$PINPOINT_BUDGET"
  --markdown "$PINPOINT_OUT/summary.md" --comment "$PINPOINT_OUT/comment.md"
  --json "$PINPOINT_OUT/pinpoint.json" --sarif "$PINPOINT_OUT/pinpoint.sarif" --junit "$PINPOINT_OUT/pinpoint.xml")
while read -r pattern; do
  if [ -n "$pattern" ]; then args+=(--module "$pattern"); fi
done <<<"${PINPOINT_MODULES:-}"
while read -r pattern; do
  if [ -n "$pattern" ]; then args+=(--pkg "$pattern"); fi
done <<<"${PINPOINT_PACKAGES:-}"
if [ -n "${PINPOINT_BENCH:-}" ]; then args+=(--bench "$PINPOINT_BENCH"); fi
if [ "${PINPOINT_SELECT:-changed}" = all ]; then args+=(--all); fi
if [ "${PINPOINT_SELECT:-changed}" = changed ]; then args+=(--changed); fi
if [ "${PINPOINT_FAIL_ON_UNKNOWN:-false}" = true ]; then args+=(--fail-on-unknown); fi
# One argument a line: nothing is split at spaces.
while IFS= read -r arg; do
  if [ -n "$arg" ]; then args+=("$arg"); fi
done <<<"${PINPOINT_ARGS:-}"

"$PINPOINT_BIN" "${args[@]}"
status=$?
{
  echo "status=$status"
  echo "directory=$PINPOINT_OUT"
} >>"${GITHUB_OUTPUT:-/dev/null}"
if [ -f "$PINPOINT_OUT/summary.md" ]; then
  cat "$PINPOINT_OUT/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
# The cache is saved as it is: trees of heads, which nobody asks for again, would
# fill it.
if [ "${RUNNER_ENVIRONMENT:-}" = github-hosted ] && [ -d "$PINPOINT_CACHE/pinpoint/trees" ]; then
  find "$PINPOINT_CACHE/pinpoint/trees" -mindepth 2 -maxdepth 2 -type d ! -name "c$PINPOINT_BASE_COMMIT" -exec rm -rf {} +
fi
exit "$status"
