#!/usr/bin/env bash
# Comments what a job without rights has measured, from a job of workflow_run that has
# them. All that it takes from the measuring job is one file of an artifact, which is
# the pull request's to write: it is bounded, read as JSON, and the comment is written
# of it anew. Which pull request it is about is what GitHub says, not the file.
set -uo pipefail

skip() {
  echo "pinpoint: no comment: $1"
  exit 0
}

for tool in curl jq unzip; do
  command -v "$tool" >/dev/null || skip "$tool is not installed"
done
mkdir -p "$PINPOINT_OUT"

# The token is in no argument, where other processes would see it.
api() {
  curl --silent --show-error --fail --max-time 60 \
    --config <(printf 'header = "Authorization: Bearer %s"\n' "$PINPOINT_TOKEN") \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' "$@"
}

most=$((4 << 20)) # bytes of the artifact
unpacked=$((64 << 20))
repository=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY

# The event names no pull request of a fork. The name of a branch may hold anything.
pulls=$(api --get --data-urlencode "state=open" --data-urlencode "head=$PINPOINT_OWNER:$PINPOINT_BRANCH" "$repository/pulls") || skip "the pull requests can't be read"
pull=$(jq --raw-output --arg head "$PINPOINT_HEAD" 'map(select(.head.sha == $head)) | if length == 1 then first.number else empty end' <<<"$pulls") || skip "the pull requests can't be read"
if [[ ! $pull =~ ^[0-9]+$ ]]; then skip "no open pull request has this head: it moved on, or is closed"; fi

artifacts=$(api --get --data-urlencode "name=$PINPOINT_ARTIFACT" "$repository/actions/runs/$PINPOINT_RUN/artifacts") || skip "the artifacts can't be read"
id=$(jq --raw-output --argjson most "$most" '[.artifacts[] | select(.expired == false)] | first | if . == null then "" elif .size_in_bytes > $most then "large" else .id end' <<<"$artifacts") || skip "the artifacts can't be read"
if [ "$id" = large ]; then skip "the artifact has more than $most bytes"; fi
if [[ ! $id =~ ^[0-9]+$ ]]; then skip "the job left no artifact $PINPOINT_ARTIFACT"; fi
api --location --max-filesize "$most" --output "$PINPOINT_OUT/artifact.zip" "$repository/actions/artifacts/$id/zip" || skip "the artifact can't be read"
if [ "$(wc -c <"$PINPOINT_OUT/artifact.zip")" -gt "$most" ]; then skip "the artifact has more than $most bytes"; fi

# One name of it, to a name of ours; a link or a path in it leads nowhere.
unzip -p "$PINPOINT_OUT/artifact.zip" pinpoint.json 2>/dev/null | head -c $((unpacked + 1)) >"$PINPOINT_OUT/pinpoint.json"
if [ "$(wc -c <"$PINPOINT_OUT/pinpoint.json")" -gt "$unpacked" ]; then skip "what is in the artifact has more than $unpacked bytes"; fi
"$PINPOINT_BIN" report "$PINPOINT_OUT/pinpoint.json" --format comment -o "$PINPOINT_OUT/comment.md" || skip "the artifact holds no report of pinpoint"

status=$(jq --raw-output 'if .failed == false then 0 else 1 end' "$PINPOINT_OUT/pinpoint.json" 2>/dev/null) || status=1
PINPOINT_COMMENT=true PINPOINT_PULL=$pull PINPOINT_HEAD_REPOSITORY=$GITHUB_REPOSITORY PINPOINT_STATUS=$status \
  exec "$(dirname "${BASH_SOURCE[0]}")/comment.sh"
