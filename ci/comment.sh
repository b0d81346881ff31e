#!/usr/bin/env bash
# Posts the summary as a comment of the pull request, or puts it in the place of
# the one that is there already: the first with the marker that is of the token's own
# user. Anybody can write the marker, and rewrite what he wrote. A job that may not write, as those of forks may
# not, has its summary on the job's page: that is never a failure.
set -uo pipefail

marker='<!-- pinpoint -->'

skip() {
  echo "pinpoint: no comment: $1; the summary is on the job's page"
  exit 0
}

if [ "${PINPOINT_COMMENT:-true}" != true ]; then exit 0; fi
if [ -z "${PINPOINT_PULL:-}" ]; then skip "this job is of no pull request"; fi
if [ "${PINPOINT_HEAD_REPOSITORY:-}" != "$GITHUB_REPOSITORY" ]; then skip "the branch is a fork's, whose jobs may not write here"; fi
if [ -z "${PINPOINT_TOKEN:-}" ]; then skip "there is no token"; fi
if [ ! -s "$PINPOINT_OUT/comment.md" ]; then skip "there is nothing to say"; fi
for tool in curl jq; do
  command -v "$tool" >/dev/null || skip "$tool is not installed"
done

# The token is in no argument, where other processes would see it.
api() {
  curl --silent --show-error --fail-with-body --max-time 60 \
    --config <(printf 'header = "Authorization: Bearer %s"\n' "$PINPOINT_TOKEN") \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' "$@"
}

if [ "$(wc -c <"$PINPOINT_OUT/comment.md")" -gt 65536 ]; then skip "it has more than 65536 bytes"; fi

# Tokens of a job are no user's, and may not ask who they are by the other way.
query='{"query":"{viewer{login}}"}'
author=$(api --request POST --data "$query" "${GITHUB_GRAPHQL_URL:-$GITHUB_API_URL/graphql}" | jq --raw-output '.data.viewer.login // empty') || author=
author=${author:-github-actions[bot]}

comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
# shellcheck disable=SC2016 # these are jq's
ours='map(select((.user.login == $author or .user.type == "Bot" and .user.login == $author + "[bot]")
  and (.body // "" | startswith($marker)))) | first | .id // empty'
id=
for ((page = 1; page <= 30; page++)); do
  list=$(api "$comments/$PINPOINT_PULL/comments?per_page=100&page=$page") || skip "the comments can't be read: $list"
  id=$(jq --raw-output --arg marker "$marker" --arg author "$author" "$ours" <<<"$list") || skip "the comments can't be read"
  if [ -n "$id" ] || [ "$(jq length <<<"$list")" -lt 100 ]; then break; fi
done
if [ -z "$id" ] && [ "${PINPOINT_STATUS:-0}" = 0 ]; then skip "nothing got slower, and nothing was said before"; fi

body=$(jq --null-input --rawfile body "$PINPOINT_OUT/comment.md" '{body: $body}')
if [ -n "$id" ] && api --request PATCH --data @- "$comments/comments/$id" <<<"$body" >/dev/null; then
  echo "pinpoint: comment $id is up to date"
elif answer=$(api --request POST --data @- "$comments/$PINPOINT_PULL/comments" <<<"$body"); then
  echo "pinpoint: comment $(jq .id <<<"$answer") is posted"
else
  skip "it was refused (the job needs the permission pull-requests: write): $answer"
fi
