#!/usr/bin/env bash
# Brings what the checkout of a CI job lacks of the history: the branch that HEAD
# is to go into, and enough of both that they have a merge base. It writes one ref
# of its own, refs/pinpoint/base, and no other: no branch, tag, remote-tracking
# ref, FETCH_HEAD, index or working file changes. What is there is not shortened.
#
# The target is $PINPOINT_BASE (a branch, a tag or a commit of the remote); without
# it the branch that a merge request names; without that the commit before a push
# ($PINPOINT_BEFORE); else the remote's default branch.
set -euo pipefail

remote=${PINPOINT_REMOTE:-origin}
own=refs/pinpoint/base

explain() {
  echo "pinpoint: $1" >&2
  echo "pinpoint: check out more of the history: fetch-depth: 0 (actions/checkout), GIT_DEPTH: 0 (GitLab)" >&2
  exit 2
}

# fetch DEPTH SOURCE...: depth 0 asks for no other than there is.
fetch() {
  local depth=$1 limit=()
  shift
  if [ "$depth" -gt 0 ]; then limit=(--depth="$depth"); fi
  git -c maintenance.auto=false -c gc.auto=0 -c fetch.prune=false -c fetch.writeCommitGraph=false \
    fetch --quiet --no-tags --no-recurse-submodules --no-write-fetch-head --refmap= ${limit[@]+"${limit[@]}"} "$remote" "$@"
}

shallow() { [ "$(git rev-parse --is-shallow-repository)" = true ]; }

candidates=()
if [ -n "${PINPOINT_BASE:-}" ]; then
  candidates=("$PINPOINT_BASE")
elif [ -n "${GITHUB_BASE_REF:-${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}}" ]; then
  candidates=("refs/heads/${GITHUB_BASE_REF:-$CI_MERGE_REQUEST_TARGET_BRANCH_NAME}")
else
  if [[ ${PINPOINT_BEFORE:-} =~ [1-9a-f] ]]; then candidates=("$PINPOINT_BEFORE"); fi
  candidates+=(HEAD)
fi

head=$(git rev-parse --verify HEAD)
depth=0
if shallow; then
  # No path is longer than there are commits, so that nothing is cut off.
  depth=$(($(git rev-list --count HEAD) + 49))
fi
target=
for source in "${candidates[@]}"; do
  if fetch "$depth" "+$source:$own"; then
    target=$source
    break
  fi
done
if [ -z "$target" ]; then explain "$remote has none of: ${candidates[*]}"; fi

until base=$(git merge-base "$own" "$head"); do
  if ! shallow; then explain "$target and HEAD share no history"; fi
  depth=$((depth * 2))
  if [ "$depth" -gt 10000000 ]; then explain "$remote is shallow itself"; fi
  # One at a time: git does not deepen a branch beside a commit.
  { fetch "$depth" "+$target:$own" && fetch "$depth" "$head"; } || explain "$remote gave no more of the history"
done
if [ "$base" = "$head" ]; then
  # HEAD is in the branch already: it is compared with its parent.
  if ! git rev-parse --quiet --verify HEAD~1 >/dev/null; then
    fetch 2 "$head" || explain "$remote gave no more of the history"
  fi
  base=$(git rev-parse --verify HEAD~1)
fi
echo "pinpoint: the merge base of HEAD and $target is $base"
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "commit=$base" >>"$GITHUB_OUTPUT"; fi
