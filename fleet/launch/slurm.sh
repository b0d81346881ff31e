#!/bin/sh
#SBATCH --job-name=pinpoint-worker
#SBATCH --exclusive
#SBATCH --nodes=1
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@30
# sbatch --array=1-8 slurm.sh JOIN: eight workers, each with a node for itself.
set -eu
exec pinpoint worker --join "${1:?give the file that pinpoint fleet init made}" --idle 10m --cache "${TMPDIR:-/tmp}/pinpoint-worker"
