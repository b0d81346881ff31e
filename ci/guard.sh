#!/usr/bin/env bash
# Fails where a job measures the code of strangers with rights that these must not
# have: in a workflow of pull_request_target or workflow_run, which has the
# repository's secrets and a token that may write. Their code belongs in a workflow of
# pull_request; ci/workflows has one, and another one that comments on what it found.
set -uo pipefail

refuse() {
  echo "pinpoint: $1" >&2
  echo "pinpoint: measure it in a workflow of pull_request, which has no secrets, and comment from another one: ci/workflows has both" >&2
  exit 2
}

head=${PINPOINT_HEAD_REPOSITORY:-}
case ${GITHUB_EVENT_NAME:-} in
  pull_request_target | workflow_run | issue_comment)
    if [ "$head" != "$GITHUB_REPOSITORY" ]; then
      refuse "this job is of $GITHUB_EVENT_NAME, has the repository's secrets, and would run code of ${head:-an unknown repository}"
    fi
    ;;
esac
# What checks out a revision may leave its token in the configuration, where every
# benchmark can read it.
if git config --local --name-only --get-regexp '^http\..*\.extraheader$' >/dev/null 2>&1; then
  if [ "$head" != "" ] && [ "$head" != "$GITHUB_REPOSITORY" ]; then
    refuse "the checkout keeps its token in .git/config, where code of $head can read it: persist-credentials: false"
  fi
  echo "pinpoint: the checkout keeps its token in .git/config, where every benchmark can read it: persist-credentials: false (actions/checkout)" >&2
fi
